import { useState } from 'react';
import type { FreezeView } from '../../../shared/domain/level.ts';
import { rpc } from '../../rpc/client.ts';
import { toProblem } from '../../rpc/problem.ts';
import { showToast } from '../../ui/toast.store.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { countFates } from './freeze.logic.ts';
import { takeLevelState } from './level.store.ts';
import { useLevelText } from './strings.ts';

/** Freezes everything, and says what became of the calls that were not finished. */
export function useFreeze(): { busy: boolean; freeze: () => Promise<void> } {
  const t = useLevelText();
  const problemText = useProblemText();
  const [busy, setBusy] = useState(false);

  function fatesOf(view: FreezeView | null): string {
    const fates = countFates(view?.requests ?? []);
    if (fates.length === 0) return t('freeze.noRequests');
    return t('freeze.requests', {
      count: view?.requests.length ?? 0,
      fates: fates.map(({ fate, count }) => t(`fate.${fate}`, { count })).join(', '),
    });
  }

  async function freeze() {
    setBusy(true);
    try {
      const state = await rpc.level.freeze({});
      takeLevelState(state);
      showToast({ text: t('freeze.done'), detail: fatesOf(state.frozen) });
    } catch (error) {
      const problem = toProblem(error);
      const text = problemText(problem);
      showToast({
        tone: 'error',
        text: t('freeze.failed'),
        detail: `${text.title}. ${problem.message ?? text.advice}`,
      });
    } finally {
      setBusy(false);
    }
  }
  return { busy, freeze };
}
