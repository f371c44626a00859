import { useId } from 'react';
import { Bar, BarChart, CartesianGrid, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { type ChartPhase, PhasePattern } from './phase-pattern.tsx';
import { PhaseSwatch } from './phase-swatch.tsx';

export interface StackedBar {
  /** Under the bar. */
  label: string;
  /** In full, for the box that follows the pointer. */
  full: string;
  guard: number;
  judge: number;
  other: number;
}

const PHASES: readonly ChartPhase[] = ['guard', 'judge', 'other'];

/**
 * Bars over time, one part a phase. The arrow keys walk through them once the chart has the focus;
 * pressing a part tells which it was.
 */
export function StackedBars(props: {
  bars: readonly StackedBar[];
  names: Record<ChartPhase, string>;
  label: string;
  format: (count: number) => string;
  onPick: (index: number, phase: ChartPhase) => void;
}) {
  const id = useId();
  const shown = PHASES.filter((phase) => phase !== 'other' || props.bars.some((bar) => bar.other > 0));
  return (
    <BarChart
      responsive
      data={[...props.bars]}
      title={props.label}
      margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
      barCategoryGap="18%"
      style={{ width: '100%', height: 200, display: 'block' }}
    >
      <defs>
        {shown.map((phase) => (
          <PhasePattern key={phase} id={`${id}-${phase}`} phase={phase} />
        ))}
      </defs>
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
      <XAxis
        dataKey="label"
        tickLine={false}
        axisLine={{ stroke: 'var(--control)' }}
        tick={{ fill: 'var(--faint)', fontSize: 11 }}
        minTickGap={28}
        height={22}
      />
      <YAxis
        allowDecimals={false}
        tickLine={false}
        axisLine={false}
        tick={{ fill: 'var(--faint)', fontSize: 11 }}
        tickFormatter={(value: number) => props.format(value)}
        width={40}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: 'var(--hover)', stroke: 'none' }}
        content={(box: TooltipContentProps) => <Box box={box} {...props} shown={shown} />}
      />
      {shown.map((phase) => (
        <Bar
          key={phase}
          dataKey={phase}
          stackId="blocked"
          isAnimationActive={false}
          fill={`url(#${id}-${phase})`}
          maxBarSize={36}
          onClick={(_, index) => props.onPick(index, phase)}
        />
      ))}
    </BarChart>
  );
}

function Box(props: {
  box: TooltipContentProps;
  names: Record<ChartPhase, string>;
  format: (count: number) => string;
  shown: readonly ChartPhase[];
}) {
  const bar: StackedBar | undefined = props.box.payload[0]?.payload;
  if (!props.box.active || !bar) return null;
  return (
    <div className="rounded-sm border border-line bg-raised px-2.5 py-1.5 text-xs shadow-overlay">
      <p className="mb-1 font-medium">{bar.full}</p>
      {props.shown.map((phase) => (
        <p key={phase} className="flex items-center gap-1.5 text-soft">
          <PhaseSwatch phase={phase} />
          <span className="flex-1 pr-4">{props.names[phase]}</span>
          <span className="text-ink">{props.format(bar[phase])}</span>
        </p>
      ))}
    </div>
  );
}
