import type { Outcome } from '../../shared/domain/capability.ts';
import { cx } from './cx.ts';
import { useUiText } from './strings.ts';

const INK: Record<Outcome, string> = { allowed: 'text-allow', approval_required: 'text-ask', denied: 'text-deny' };

function shape(outcome: Outcome) {
  switch (outcome) {
    case 'allowed':
      return (
        <>
          <circle cx="7" cy="7" r="6" fill="currentColor" />
          <path
            d="M4.4 7.2l1.8 1.8 3.4-3.8"
            fill="none"
            stroke="var(--canvas)"
            strokeWidth="1.5"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      );
    case 'approval_required':
      return (
        <>
          <circle cx="7" cy="7" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
          <path d="M7 1.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" />
        </>
      );
    case 'denied':
      return (
        <>
          <path d="M4.5 1h5L13 4.5v5L9.5 13h-5L1 9.5v-5z" fill="currentColor" />
          <path d="M4.3 7h5.4" stroke="var(--canvas)" strokeWidth="1.75" strokeLinecap="round" />
        </>
      );
    default:
      return outcome satisfies never;
  }
}

/** The bare sign: a filled circle with a tick, a half circle, an octagon with a bar. */
export function OutcomeSign(props: { outcome: Outcome; size?: number }) {
  const size = props.size ?? 13;
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 14 14"
      className={cx('shrink-0', INK[props.outcome])}
    >
      {shape(props.outcome)}
    </svg>
  );
}

/** Sign and word. `word` replaces the ordinary word, e.g. for a verdict (approved); `quiet` colours the sign alone. */
export function OutcomeMark(props: { outcome: Outcome; word?: string; size?: number; quiet?: boolean }) {
  const t = useUiText();
  return (
    <span className={cx('inline-flex items-center gap-1.5 whitespace-nowrap', !props.quiet && INK[props.outcome])}>
      <OutcomeSign outcome={props.outcome} {...(props.size === undefined ? {} : { size: props.size })} />
      {props.word ?? t(props.outcome)}
    </span>
  );
}
