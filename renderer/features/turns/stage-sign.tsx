import type { TurnStage } from '../../../shared/domain/turn.ts';
import { useLineText } from '../../app/line/strings.ts';
import { OutcomeSign } from '../../ui/outcome-mark.tsx';
import { useTurnsText } from './strings.ts';

const SIGN = { passed: 'allowed', ended: 'denied', asked: 'approval_required' } as const;

/** What is known of a stage, in a word. */
export function useStateWord(): (state: TurnStage['state']) => string {
  const t = useTurnsText();
  const line = useLineText();
  return (state) => {
    switch (state) {
      case 'passed':
      case 'ended':
      case 'asked':
      case 'skipped':
        return line(`outcome.${state}`);
      case 'not-reached':
      case 'unknown':
        return t(`state.${state}`);
      default:
        return state satisfies never;
    }
  };
}

/** The bare sign of what is known of a stage: the outcomes' own signs, a ring for nothing to look at, `?`, or a dash. */
export function StageSign(props: { state: TurnStage['state'] }) {
  const { state } = props;
  switch (state) {
    case 'passed':
    case 'ended':
    case 'asked':
      return <OutcomeSign outcome={SIGN[state]} size={12} />;
    case 'skipped':
      return (
        <svg aria-hidden="true" width="12" height="12" viewBox="0 0 14 14" className="shrink-0 text-faint">
          <circle
            cx="7"
            cy="7"
            r="5.25"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.25"
            strokeDasharray="2.2 1.9"
          />
        </svg>
      );
    case 'unknown':
      return (
        <span aria-hidden className="w-3 text-center font-mono text-xs leading-3 text-faint">
          ?
        </span>
      );
    case 'not-reached':
      return <span aria-hidden className="mx-0.75 h-px w-1.5 bg-control" />;
    default:
      return state satisfies never;
  }
}
