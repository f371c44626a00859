import { CircleCheck, Clock3, MinusCircle, OctagonX, Send } from 'lucide-react';
import type { FinalDecision } from '../../../shared/domain/constitution.ts';
import { cx } from '../../ui/cx.ts';
import { useProposalsText } from './strings.ts';

const LOOK = {
  publish: { icon: Send, ink: 'text-allow' },
  defer: { icon: Clock3, ink: 'text-ask' },
  reject: { icon: MinusCircle, ink: 'text-soft' },
  block: { icon: OctagonX, ink: 'text-deny' },
  allow: { icon: CircleCheck, ink: 'text-allow' },
} as const;

/** What became of a proposal, by shape and word. */
export function DecisionMark(props: { decision: FinalDecision }) {
  const t = useProposalsText();
  const { icon: Icon, ink } = LOOK[props.decision];
  return (
    <span className={cx('inline-flex items-center gap-1.5 whitespace-nowrap', ink)}>
      <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      {t(`decision.${props.decision}`)}
    </span>
  );
}
