export type ChartPhase = 'guard' | 'judge' | 'other';

/**
 * A fill that is told apart without its colour: guard is solid, judge is striped, other is dotted.
 * Use it as `fill="url(#id)"`.
 */
export function PhasePattern(props: { id: string; phase: ChartPhase }) {
  const { id, phase } = props;
  switch (phase) {
    case 'guard':
      return (
        <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
          <rect width="6" height="6" fill="var(--chart-guard)" />
        </pattern>
      );
    case 'judge':
      return (
        <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" fill="var(--chart-judge)" />
          <rect width="1.5" height="5" fill="var(--canvas)" opacity="0.75" />
        </pattern>
      );
    case 'other':
      return (
        <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="5" height="5" fill="var(--chart-other)" />
          <circle cx="2.5" cy="2.5" r="1.1" fill="var(--canvas)" />
        </pattern>
      );
    default:
      return phase satisfies never;
  }
}
