import type { Stats } from '../../../shared/rpc/audit.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { auditHref } from '../../app/links.ts';
import { ChartCard } from '../../charts/chart-card.tsx';
import { Histogram } from '../../charts/histogram.tsx';
import { FigureTable } from './figure-table.tsx';
import { formatCount } from './format.logic.ts';
import { RowsLink } from './rows-link.tsx';
import { type Interval, type ScoreBin, scoreBins, searchForBin } from './statistics.logic.ts';
import { useStatisticsText } from './strings.ts';

/** How the judge scored, with the threshold that is in force now. */
export function ScoresCard(props: { stats: Stats; interval: Interval }) {
  const t = useStatisticsText();
  const language = useLanguage();
  const { stats, interval } = props;
  const bins = scoreBins(stats.scores);
  const scored = bins.reduce((sum, bin) => sum + bin.count, 0);
  const judge = stats.blocked_by.judge ?? 0;
  const count = (n: number) => formatCount(n, language);
  const last = bins.length - 1;
  // The last bin is closed, the others end before the next begins.
  const span = (bin: ScoreBin, index: number) =>
    `${bin.from.toFixed(2)} – ${index === last ? bin.to.toFixed(2) : `< ${bin.to.toFixed(2)}`}`;
  const say = (bin: ScoreBin, index: number) => `${span(bin, index)}: ${count(bin.count)}`;
  const threshold = t('score.threshold', { value: stats.scores.threshold.toFixed(2) });
  return (
    <ChartCard
      title={t('score.title')}
      words={{ chart: t('chart'), table: t('table'), view: t('view', { what: t('score.title') }) }}
      chart={
        scored === 0 ? (
          <p className="py-10 text-center text-soft">{t('score.none')}</p>
        ) : (
          <>
            <Histogram
              bins={bins}
              threshold={stats.scores.threshold}
              thresholdName={threshold}
              label={`${t('score.title')}, ${threshold}`}
              say={(bin) =>
                say(
                  bin,
                  bins.findIndex(({ from }) => from === bin.from),
                )
              }
              onPick={(bin) => window.location.assign(auditHref({ ...searchForBin(bin), ...interval }))}
            />
            <p className="mt-2 flex flex-wrap gap-x-4 text-xs text-soft">
              <RowsLink search={{ phase: 'judge', ...interval }} count={judge}>
                {t('score.denied', { count: judge })}
              </RowsLink>
              <RowsLink search={{ outcome: 'approved', ...interval }} count={stats.approved}>
                {t('score.approved', { count: stats.approved })}
              </RowsLink>
            </p>
            <p className="text-xs text-faint">{t('score.lead')}</p>
          </>
        )
      }
      table={
        <FigureTable
          label={t('score.title')}
          head={[t('score.bin'), t('score.count')]}
          rows={bins.map((bin, index) => ({
            key: String(bin.from),
            cells: [
              <span key="span">
                {span(bin, index)}
                {bin.below && <span className="ml-2 text-xs text-faint">{t('score.below')}</span>}
              </span>,
              <RowsLink key="count" search={{ ...searchForBin(bin), ...interval }} count={bin.count}>
                {count(bin.count)}
              </RowsLink>,
            ],
          }))}
        />
      }
    />
  );
}
