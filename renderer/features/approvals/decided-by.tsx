import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useApprovalsText } from './strings.ts';

/** Who decided: the person at the panel, a person over a channel, the time limit, or the caller who left. */
export function DecidedBy(props: { card: ApprovalCard }) {
  const t = useApprovalsText();
  const { status, decided_by } = props.card;
  if (status === 'expired') return t('by.time');
  if (status === 'withdrawn') return t('by.caller');
  if (decided_by === null) return <span className="text-faint">{t('by.unknown')}</span>;
  if (decided_by.channel === 'panel' && decided_by.sender_id === 'operator') return t('by.operator');
  if (decided_by.channel === 'panel' && decided_by.sender_id === 'freeze') return t('by.freeze');
  return <ForeignText text={`${decided_by.channel} / ${decided_by.sender_id}`} limit={120} />;
}
