import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import type { JudgeTest } from '../../../shared/rpc/app.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { useSettingsText } from './strings.ts';

/** Puts one real question to the model, and shows what came back. */
export function JudgeTestButton() {
  const t = useSettingsText();
  const [state, setState] = useState<{ busy: boolean; test: JudgeTest | null; problem: Problem | null }>({
    busy: false,
    test: null,
    problem: null,
  });
  async function ask() {
    setState({ busy: true, test: null, problem: null });
    try {
      setState({ busy: false, test: await rpc.app.testJudge({}), problem: null });
    } catch (error) {
      setState({ busy: false, test: null, problem: toProblem(error) });
    }
  }
  return (
    <div className="mt-2 flex flex-col items-start gap-1.5">
      <Button size="sm" icon={FlaskConical} disabled={state.busy} onClick={() => void ask()}>
        {t(state.busy ? 'test.busy' : 'test')}
      </Button>
      <div role="status" className="w-full">
        {state.test && <Result test={state.test} />}
        {!state.test && !state.problem && <p className="text-xs text-faint">{t('test.help')}</p>}
      </div>
      {state.problem && <ErrorStrip problem={state.problem} />}
    </div>
  );
}

function Result(props: { test: JudgeTest }) {
  const t = useSettingsText();
  const language = useLanguage();
  const { outcome, ms, score, detail } = props.test;
  return (
    <div data-testid="judge-test" data-outcome={outcome}>
      <p className="flex flex-wrap items-center gap-x-3">
        <OutcomeMark outcome={outcome === 'answered' ? 'allowed' : 'denied'} word={t(`test.${outcome}`)} />
        {score !== null && <span>{t('test.score', { score: score.toFixed(2) })}</span>}
        {ms !== null && (
          <span className="text-xs text-faint">{t('ms', { ms: Math.round(ms).toLocaleString(language) })}</span>
        )}
      </p>
      {detail !== null && (
        <p className="mt-0.5 text-soft wrap-anywhere">
          <ForeignText text={detail} limit={400} />
        </p>
      )}
    </div>
  );
}
