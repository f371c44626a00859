import { useId } from 'react';
import { PhasePattern } from './phase-pattern.tsx';

export interface HistogramBin {
  from: number;
  to: number;
  count: number;
  below: boolean;
}

const WIDTH = 400;
const HEIGHT = 150;
const TOP = 22;
const BASE = HEIGHT - 20;

/**
 * Counts over [0, 1] with a line where the threshold stands, exactly and not at the edge of a bin. A
 * bin that holds something is at least a hair high.
 */
export function Histogram(props: {
  bins: readonly HistogramBin[];
  threshold: number;
  thresholdName: string;
  label: string;
  say: (bin: HistogramBin) => string;
  /** A bin that holds something was pressed. */
  onPick: (bin: HistogramBin) => void;
}) {
  const id = useId();
  const most = Math.max(1, ...props.bins.map((bin) => bin.count));
  const x = (value: number) => value * WIDTH;
  const lineLeft = props.threshold > 0.7;
  return (
    <svg
      role="img"
      aria-label={props.label}
      viewBox={`-4 0 ${WIDTH + 8} ${HEIGHT}`}
      className="block h-auto w-full"
      fontFamily="var(--font-sans)"
    >
      <defs>
        <PhasePattern id={id} phase="judge" />
      </defs>
      {props.bins.map((bin) => {
        const height = bin.count === 0 ? 0 : Math.max(2.5, (bin.count / most) * (BASE - TOP));
        return (
          <g key={bin.from}>
            <rect
              x={x(bin.from) + 1}
              width={x(bin.to - bin.from) - 2}
              y={BASE - height}
              height={height}
              fill={bin.below ? `url(#${id})` : 'var(--chart-allow)'}
            />
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the table beside it has a link for each bin */}
            <rect
              data-bin={bin.from.toFixed(2)}
              x={x(bin.from)}
              width={x(bin.to - bin.from)}
              y={TOP}
              height={BASE - TOP}
              fill="transparent"
              className={bin.count > 0 ? 'hover:fill-[var(--hover)] hover:fill-opacity-50' : undefined}
              onClick={() => bin.count > 0 && props.onPick(bin)}
            >
              <title>{props.say(bin)}</title>
            </rect>
          </g>
        );
      })}
      <line x1={0} x2={WIDTH} y1={BASE} y2={BASE} stroke="var(--control)" strokeWidth={0.75} />
      {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
        <text
          key={tick}
          x={x(tick)}
          y={HEIGHT - 6}
          fontSize={9}
          fill="var(--faint)"
          textAnchor={tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle'}
        >
          {tick.toFixed(2)}
        </text>
      ))}
      <line
        x1={x(props.threshold)}
        x2={x(props.threshold)}
        y1={6}
        y2={BASE}
        stroke="var(--ink)"
        strokeWidth={1}
        strokeDasharray="3 2"
      />
      <text
        x={x(props.threshold) + (lineLeft ? -5 : 5)}
        y={14}
        fontSize={10}
        fill="var(--ink)"
        textAnchor={lineLeft ? 'end' : 'start'}
      >
        {props.thresholdName}
      </text>
    </svg>
  );
}
