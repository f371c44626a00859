import type { Outcome } from '../../../shared/domain/capability.ts';
import type { DecisionKind } from '../../../shared/domain/decision.ts';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { useLineText } from './strings.ts';

const SIGN: Record<DecisionKind, Outcome> = {
  allowed: 'allowed',
  approved: 'allowed',
  approval_required: 'approval_required',
  denied: 'denied',
  rejected: 'denied',
  expired: 'denied',
  withdrawn: 'denied',
};

/** How the line ended, by shape and word. */
export function DecisionMark(props: { decision: DecisionKind; size?: number }) {
  const t = useLineText();
  return (
    <OutcomeMark
      outcome={SIGN[props.decision]}
      word={t(`decision.${props.decision}`)}
      {...(props.size === undefined ? {} : { size: props.size })}
    />
  );
}
