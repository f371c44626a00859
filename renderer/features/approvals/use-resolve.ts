import { useState } from 'react';
import type { ApprovalCard, ApprovalChoice } from '../../../shared/domain/approval.ts';
import { removeCard } from '../../app/approvals/approvals.store.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { shortPlain } from '../../ui/foreign-text.logic.ts';
import { showToast } from '../../ui/toast.store.ts';
import { useApprovalsText } from './strings.ts';

/** Sends one decision. A card is decided once: while an answer is on its way nothing more is sent. */
export function useResolve(card: ApprovalCard) {
  const t = useApprovalsText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function resolve(choice: ApprovalChoice) {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const { grant, problem: notGranted } = await rpc.approvals.resolve({ token: card.token, choice });
      const detail =
        choice.kind === 'no-session'
          ? t('done.no-sessionDetail')
          : shortPlain(grant ? `${grant.capability} ${grant.target}` : card.object, 120);
      if (notGranted === null) showToast({ text: t(`done.${choice.kind}`), detail });
      else showToast({ tone: 'error', text: t('done.notGranted'), detail: shortPlain(notGranted, 300) });
      removeCard(card.token);
    } catch (error) {
      setProblem(toProblem(error));
      setBusy(false);
    }
  }
  return { busy, problem, resolve };
}
