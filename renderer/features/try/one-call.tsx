import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import type { DecideAnswer, DecideRequest } from '../../../shared/domain/decision.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { AnswerView } from './answer-view.tsx';
import { checkCall, toRequest } from './call.logic.ts';
import { CallForm } from './call-form.tsx';
import { useTryText } from './strings.ts';
import { readSupposed, type Supposed } from './supposed.logic.ts';
import { useTryDraft } from './try.store.ts';

interface Asked {
  /** What was in the form. */
  key: string;
  request: DecideRequest;
  supposed: Supposed;
  answer: DecideAnswer;
}

/** A call typed by hand, and each stage's answer to it. */
export function OneCall() {
  const t = useTryText();
  const { draft, supposed } = useTryDraft();
  const [tell, setTell] = useState(false);
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const faults = checkCall(draft);
  const key = JSON.stringify([draft, supposed]);

  async function run() {
    const read = readSupposed(supposed);
    setTell(true);
    if (busy || read === null || Object.keys(faults).length > 0) return;
    const request = toRequest(draft);
    setBusy(true);
    try {
      const answer = await rpc.line.try({ request, supposed: read });
      setAsked({ key, request, supposed: read, answer });
      setProblem(null);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex min-h-0 flex-1">
      <div className="w-104 shrink-0 overflow-y-auto border-r border-line bg-panel max-[1100px]:w-88">
        <CallForm
          draft={draft}
          supposed={supposed}
          faults={faults}
          tell={tell}
          busy={busy}
          onChange={(part) => useTryDraft.setState((now) => ({ draft: { ...now.draft, ...part } }))}
          onSuppose={(next) => useTryDraft.setState({ supposed: next })}
          onRun={() => void run()}
        />
      </div>
      <div className="min-w-0 flex-1 overflow-y-auto" aria-live="polite" aria-busy={busy}>
        {problem ? (
          <ErrorState problem={problem} onRetry={() => void run()} />
        ) : asked ? (
          <>
            {asked.key !== key && (
              <p role="status" className="border-b border-line bg-ask-soft px-4 py-1.5 text-xs text-ask">
                {t('stale')}
              </p>
            )}
            <div className="mx-auto max-w-196">
              <AnswerView request={asked.request} supposed={asked.supposed} answer={asked.answer} />
            </div>
          </>
        ) : (
          <Empty icon={FlaskConical} title={t('empty.title')}>
            {t('empty.text')}
          </Empty>
        )}
      </div>
    </div>
  );
}
