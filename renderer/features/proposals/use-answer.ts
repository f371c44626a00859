import { useState } from 'react';
import type { ProposalAnswer, ProposalRow } from '../../../shared/domain/constitution.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { showToast } from '../../ui/toast.store.ts';
import { useProposalsText } from './strings.ts';

/** Sends what the person says to a proposal; "not again" can be taken back from the message. */
export function useAnswer(onDone: () => void) {
  const t = useProposalsText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function allowAgain(fingerprint: string) {
    try {
      await rpc.proposals.allowAgain({ fingerprint });
      onDone();
    } catch (error) {
      setProblem(toProblem(error));
    }
  }

  async function answer(row: ProposalRow, given: ProposalAnswer) {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await rpc.proposals.answer({ id: row.id, answer: given });
      if (given === 'never') {
        const action = { label: t('answered.undo'), run: () => void allowAgain(row.fingerprint) };
        showToast({ text: t('answered.neverToast'), action });
      }
      onDone();
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setBusy(false);
    }
  }
  return { busy, problem, answer, allowAgain };
}
