import type { Stats } from '../../../shared/rpc/audit.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { auditHref } from '../../app/links.ts';
import { ChartCard } from '../../charts/chart-card.tsx';
import { PhaseSwatch } from '../../charts/phase-swatch.tsx';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { FigureTable } from './figure-table.tsx';
import { formatBucket, formatBucketFull, formatCount } from './format.logic.ts';
import { RowsLink } from './rows-link.tsx';
import { type Interval, joinBuckets, joinedInterval, PHASES, type Phase, searchFor } from './statistics.logic.ts';
import { useStatisticsText } from './strings.ts';

/** Blocks by phase over hours or days. */
export function OverTimeCard(props: { stats: Stats; interval: Interval }) {
  const t = useStatisticsText();
  const language = useLanguage();
  const { stats } = props;
  const { step } = stats.over_time;
  const { size, buckets } = joinBuckets(stats.over_time);
  const title = t('over.title');
  const names = { guard: t('phase.guard'), judge: t('phase.judge'), other: t('phase.other') };
  const shown = PHASES.filter((phase) => phase !== 'other' || buckets.some((bucket) => bucket.other > 0));
  const blocked = buckets.some((bucket) => bucket.guard + bucket.judge + bucket.other > 0);

  function rows(index: number, key: Phase | 'approved') {
    return {
      ...searchFor(key, stats),
      ...joinedInterval(stats.over_time, size, index, props.interval.from),
    };
  }

  const per = size > 1 ? t('over.days', { count: size }) : t(step === 'hour' ? 'over.hour' : 'over.day');
  return (
    <ChartCard
      title={title}
      lead={
        <span className="flex flex-wrap items-center gap-x-3">
          {per}
          {shown.map((phase) => (
            <span key={phase} className="inline-flex items-center gap-1.5 text-soft">
              <PhaseSwatch phase={phase} />
              {names[phase]}
            </span>
          ))}
        </span>
      }
      words={{ chart: t('chart'), table: t('table'), view: t('view', { what: title }) }}
      chart={
        blocked ? (
          <StackedBars
            label={title}
            names={names}
            format={(count) => formatCount(count, language)}
            onPick={(index, phase) => window.location.assign(auditHref(rows(index, phase)))}
            bars={buckets.map((bucket) => ({
              label: formatBucket(bucket.start, step, language),
              full: formatBucketFull(bucket.start, step, language),
              guard: bucket.guard,
              judge: bucket.judge,
              other: bucket.other,
            }))}
          />
        ) : (
          <p className="flex h-52 items-center justify-center text-soft">{t('over.none')}</p>
        )
      }
      table={
        <FigureTable
          label={title}
          head={[t('over.time'), t('phase.approved'), ...shown.map((phase) => names[phase])]}
          rows={buckets
            .map((bucket, index) => ({
              key: String(bucket.start),
              cells: [
                formatBucketFull(bucket.start, step, language),
                ...(['approved', ...shown] as const).map((key) => (
                  <RowsLink key={key} search={rows(index, key)} count={bucket[key]}>
                    {formatCount(bucket[key], language)}
                  </RowsLink>
                )),
              ],
            }))
            .reverse()}
        />
      }
    />
  );
}
