import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import type { Stats, StatsRange } from '../../../shared/rpc/audit.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ExecutorsCard } from './executors-card.tsx';
import { formatMonth } from './format.logic.ts';
import { IndexNote } from './index-note.tsx';
import { OverTimeCard } from './over-time-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { ScoresCard } from './scores-card.tsx';
import { intervalOf, RANGES } from './statistics.logic.ts';
import { useStatisticsText } from './strings.ts';
import { Tiles } from './tiles.tsx';
import { useStats } from './use-stats.ts';

/** What was blocked, when, by what (ui page, "Statistics"). */
export function StatisticsPage() {
  const t = useStatisticsText();
  const [range, setRange] = useState<StatsRange>('30d');
  const { data: stats, problem, loading, refetch } = useStats(range);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('title')} lead={<span className="max-[1100px]:hidden">{t('lead')}</span>}>
        <RangeChoice range={range} onChange={setRange} months={stats?.months ?? []} />
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {loading && <SkeletonRows rows={12} />}
        {!stats && problem && <ErrorState problem={problem} onRetry={refetch} />}
        {stats && (
          <div className="mx-auto flex max-w-300 flex-col gap-3 p-4">
            {problem && <ErrorStrip problem={problem} onRetry={refetch} />}
            <IndexNote index={stats.index} />
            <Figures stats={stats} />
          </div>
        )}
      </div>
    </div>
  );
}

function Figures(props: { stats: Stats }) {
  const t = useStatisticsText();
  const { stats } = props;
  const interval = intervalOf(stats.range, Date.now() / 1000);
  if (stats.total === 0 && stats.index.unreadable === 0) {
    const ever = stats.months.length > 0;
    return (
      <Empty icon={ChartColumn} title={t(ever ? 'empty.title' : 'empty.all')}>
        {t(ever ? 'empty.text' : 'empty.all.text')}
      </Empty>
    );
  }
  return (
    <>
      <Tiles stats={stats} interval={interval} />
      <OverTimeCard stats={stats} interval={interval} />
      <div className="grid grid-cols-[3fr_2fr] items-start gap-3 max-[1100px]:grid-cols-1">
        <ExecutorsCard stats={stats} interval={interval} />
        <ScoresCard stats={stats} interval={interval} />
      </div>
      <RulesCard stats={stats} interval={interval} />
    </>
  );
}

function RangeChoice(props: { range: StatsRange; onChange: (range: StatsRange) => void; months: readonly string[] }) {
  const t = useStatisticsText();
  const language = useLanguage();
  const relative = RANGES.find((each) => each === props.range) ?? null;
  return (
    <>
      <Segmented
        label={t('range')}
        value={relative}
        options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
        onChange={props.onChange}
      />
      {props.months.length > 0 && (
        <Select
          label={t('month')}
          value={relative === null ? props.range : null}
          placeholder={t('month.choose')}
          onChange={props.onChange}
          options={props.months.map((month) => ({ value: month, label: formatMonth(month, language) }))}
          className="w-38"
        />
      )}
    </>
  );
}
