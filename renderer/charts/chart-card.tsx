import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Segmented } from '../ui/segmented.tsx';

/** A chart and the table behind it: the same figures, one switch between them (ui page, "Charts"). */
export function ChartCard(props: {
  title: string;
  lead?: ReactNode;
  words: { chart: string; table: string; view: string };
  chart: ReactNode;
  table: ReactNode;
  className?: string;
}) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const title = useId();
  return (
    <section
      aria-labelledby={title}
      className={`flex min-w-0 flex-col rounded-lg border border-line ${props.className ?? ''}`}
    >
      <header className="flex min-h-10 items-center gap-3 px-4 pt-2.5">
        <h2 id={title} className="font-semibold whitespace-nowrap">
          {props.title}
        </h2>
        <div className="min-w-0 flex-1 text-xs text-faint">{props.lead}</div>
        <Segmented
          size="sm"
          label={props.words.view}
          value={view}
          onChange={setView}
          options={[
            {
              value: 'chart',
              name: props.words.chart,
              label: <ChartColumn aria-hidden size={13} strokeWidth={1.75} />,
            },
            { value: 'table', name: props.words.table, label: <Table2 aria-hidden size={13} strokeWidth={1.75} /> },
          ]}
        />
      </header>
      <div className="min-w-0 flex-1 px-4 pt-2 pb-4">{view === 'chart' ? props.chart : props.table}</div>
    </section>
  );
}
