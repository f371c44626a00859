import { CircleCheck, Hourglass, OctagonX, TimerOff, Undo2 } from 'lucide-react';
import type { ApprovalStatus } from '../../../shared/domain/approval.ts';
import { cx } from '../../ui/cx.ts';
import { useApprovalsText } from './strings.ts';

const LOOK = {
  approved: { icon: CircleCheck, ink: 'text-allow' },
  rejected: { icon: OctagonX, ink: 'text-deny' },
  expired: { icon: TimerOff, ink: 'text-ask' },
  withdrawn: { icon: Undo2, ink: 'text-soft' },
  pending: { icon: Hourglass, ink: 'text-ask' },
} as const;

/** How a card ended, by shape and word. */
export function StatusMark(props: { status: ApprovalStatus }) {
  const t = useApprovalsText();
  const { icon: Icon, ink } = LOOK[props.status];
  return (
    <span className={cx('inline-flex items-center gap-1.5 whitespace-nowrap', ink)}>
      <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      {t(`status.${props.status}`)}
    </span>
  );
}
