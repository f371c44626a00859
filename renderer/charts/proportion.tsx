import { type ReactNode, useId } from 'react';
import { type ChartPhase, PhasePattern } from './phase-pattern.tsx';

type PartKey = 'approved' | ChartPhase;

/** A bar whose parts add up to its length, as a share of `whole`. A part that is there is at least 2 px wide. */
export function Proportion(props: {
  whole: number;
  parts: readonly { key: PartKey; count: number; name: string }[];
  /** Puts a link around a part. */
  wrap: (key: PartKey, part: ReactNode) => ReactNode;
}) {
  return (
    <span className="flex h-3 w-full gap-px">
      {props.parts
        .filter((part) => part.count > 0)
        .map((part) => (
          <span
            key={part.key}
            title={`${part.name}: ${part.count}`}
            className="h-full min-w-0.5"
            style={{ width: `${(part.count / props.whole) * 100}%` }}
          >
            {props.wrap(part.key, <PartFill part={part.key} />)}
          </span>
        ))}
    </span>
  );
}

function PartFill(props: { part: PartKey }) {
  const id = useId();
  if (props.part === 'approved') return <span className="block h-full rounded-[1px] bg-chart-allow/55" />;
  return (
    <svg aria-hidden="true" width="100%" height="100%" preserveAspectRatio="none" className="block rounded-[1px]">
      <defs>
        <PhasePattern id={id} phase={props.part} />
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}
