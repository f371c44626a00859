import { useId } from 'react';
import { type ChartPhase, PhasePattern } from './phase-pattern.tsx';

/** The key of a phase in a chart: its colour and its pattern. */
export function PhaseSwatch(props: { phase: ChartPhase }) {
  const id = useId();
  return (
    <svg aria-hidden="true" width="10" height="10" viewBox="0 0 10 10" className="shrink-0">
      <defs>
        <PhasePattern id={id} phase={props.phase} />
      </defs>
      <rect width="10" height="10" rx="2" fill={`url(#${id})`} />
    </svg>
  );
}
