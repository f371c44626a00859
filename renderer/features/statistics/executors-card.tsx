import { useState } from 'react';
import type { Stats } from '../../../shared/rpc/audit.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { ChartCard } from '../../charts/chart-card.tsx';
import { Proportion } from '../../charts/proportion.tsx';
import { Button } from '../../ui/button.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { FigureTable } from './figure-table.tsx';
import { formatCount } from './format.logic.ts';
import { RowsLink } from './rows-link.tsx';
import { type ExecutorRow, type Interval, PHASES, rankExecutors, searchFor } from './statistics.logic.ts';
import { useStatisticsText } from './strings.ts';

const SHOWN = 10;

/** Calls of each executor, how many passed and which phase stopped the rest. */
export function ExecutorsCard(props: { stats: Stats; interval: Interval }) {
  const t = useStatisticsText();
  const language = useLanguage();
  const [all, setAll] = useState(false);
  const { stats, interval } = props;
  const ranked = rankExecutors(stats.by_executor);
  const shown = all ? ranked : ranked.slice(0, SHOWN);
  const most = ranked[0]?.total ?? 1;
  const title = t('executor.title');
  const parts = PHASES.filter((phase) => phase !== 'other' || ranked.some((row) => row.other > 0));
  const search = (row: ExecutorRow, key: 'total' | 'approved' | (typeof PHASES)[number]) => ({
    executor: row.executor,
    ...searchFor(key, stats),
    ...interval,
  });
  const count = (n: number) => formatCount(n, language);

  return (
    <ChartCard
      title={title}
      words={{ chart: t('chart'), table: t('table'), view: t('view', { what: title }) }}
      chart={
        <>
          <ul className="flex flex-col gap-0.5">
            {shown.map((row) => (
              <li
                key={row.executor}
                data-executor={row.executor}
                className="grid grid-cols-[minmax(0,10rem)_1fr_3rem_5.5rem] items-center gap-x-3 py-0.5"
              >
                <RowsLink search={search(row, 'total')} count={row.total} className="truncate">
                  <ForeignText text={row.executor} mono limit={80} />
                </RowsLink>
                <Proportion
                  whole={most}
                  parts={[
                    { key: 'approved', count: row.approved, name: t('phase.approved') },
                    ...parts.map((phase) => ({ key: phase, count: row[phase], name: t(`phase.${phase}`) })),
                  ]}
                  wrap={(key, part) => (
                    <RowsLink
                      search={search(row, key)}
                      count={row[key]}
                      label={`${row.executor}, ${t(`phase.${key}`)}: ${count(row[key])}`}
                      className="block h-full"
                    >
                      {part}
                    </RowsLink>
                  )}
                />
                <RowsLink search={search(row, 'total')} count={row.total} className="text-right text-xs">
                  {count(row.total)}
                </RowsLink>
                <RowsLink
                  search={{ ...search(row, 'total'), outcome: 'denied' }}
                  count={row.total - row.approved}
                  className="text-right text-xs text-deny"
                >
                  {row.total > row.approved && t('executor.stopped', { count: row.total - row.approved })}
                </RowsLink>
              </li>
            ))}
          </ul>
          {ranked.length > SHOWN && (
            <Button size="sm" look="quiet" className="mt-2 -ml-2" onClick={() => setAll(!all)}>
              {all ? t('executor.less') : t('executor.more', { count: ranked.length - SHOWN })}
            </Button>
          )}
        </>
      }
      table={
        <FigureTable
          label={title}
          head={[
            t('executor.name'),
            t('executor.total'),
            t('phase.approved'),
            ...parts.map((phase) => t(`phase.${phase}`)),
          ]}
          rows={ranked.map((row) => ({
            key: row.executor,
            cells: [
              <ForeignText key="name" text={row.executor} mono limit={200} />,
              ...(['total', 'approved', ...parts] as const).map((key) => (
                <RowsLink key={key} search={search(row, key)} count={row[key]}>
                  {count(row[key])}
                </RowsLink>
              )),
            ],
          }))}
        />
      }
    />
  );
}
