import { AUTONOMY_LEVELS, type AutonomyLevel } from '../../shared/domain/capability.ts';
import { useUiText } from './strings.ts';

/** One, two or three bars: how much the agent may do on its own. */
export function LevelSign(props: { level: AutonomyLevel }) {
  const filled = AUTONOMY_LEVELS.indexOf(props.level);
  return (
    <svg aria-hidden="true" width="12" height="12" viewBox="0 0 12 12" className="shrink-0">
      {AUTONOMY_LEVELS.map((level, index) => (
        <rect
          key={level}
          x={0.5 + index * 4}
          y={7 - index * 3}
          width="3"
          height={4.5 + index * 3}
          rx="0.75"
          fill="currentColor"
          opacity={index <= filled ? 1 : 0.25}
        />
      ))}
    </svg>
  );
}

export function LevelMark(props: { level: AutonomyLevel }) {
  const t = useUiText();
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <LevelSign level={props.level} />
      {t(props.level)}
    </span>
  );
}
