import { useEffect, useState } from 'react';
import type { AgentView, agentsContract } from '../../../shared/rpc/agents.ts';
import type { OutputOf } from '../../../shared/rpc/contract.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Section } from '../../ui/side-panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useUiText } from '../../ui/strings.ts';
import { Diff } from './diff.tsx';
import { useSettingsText } from './strings.ts';

type Change = OutputOf<typeof agentsContract.install>;

/** What would be changed in the agent's settings, shown before anything is written; then what was. */
export function ChangeDialog(props: {
  agent: AgentView;
  verb: 'install' | 'uninstall';
  onChanged: () => void;
  onClose: () => void;
}) {
  const t = useSettingsText();
  const ui = useUiText();
  const { agent, verb, onChanged } = props;
  const { client } = agent;
  const [planned, setPlanned] = useState<Change | null>(null);
  const [done, setDone] = useState<Change | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => {
    let left = false;
    rpc.agents[verb]({ client, dry_run: true }).then(
      (change) => !left && setPlanned(change),
      (error: unknown) => !left && setProblem(toProblem(error)),
    );
    return () => {
      left = true;
    };
  }, [client, verb]);

  async function carryOut() {
    setBusy(true);
    setProblem(null);
    try {
      setDone(await rpc.agents[verb]({ client }));
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
    onChanged();
  }

  const shown = done ?? planned;
  const nothing = shown !== null && shown.diff.length === 0;
  return (
    <Dialog
      open
      width="lg"
      onClose={props.onClose}
      title={t(`change.${verb}`, { agent: agent.title })}
      description={t(done ? 'change.done' : 'change.text')}
      footer={
        done || nothing ? (
          <Button onClick={props.onClose}>{ui('close')}</Button>
        ) : (
          <>
            <Button onClick={props.onClose}>{t('cancel')}</Button>
            <Button look="primary" disabled={planned === null || busy} onClick={() => void carryOut()}>
              {t(`change.${verb}.do`)}
            </Button>
          </>
        )
      }
    >
      {problem && (
        <div className="mb-3">
          <ErrorStrip problem={problem} />
        </div>
      )}
      {!shown && !problem && <SkeletonRows rows={5} />}
      {shown && (
        <>
          <Section title={t('change.file')}>
            <ForeignText mono text={shown.path} limit={1000} className="wrap-anywhere" />
          </Section>
          <Section title={t(done?.written ? 'change.wasDiff' : 'change.diff')}>
            {nothing ? <p className="text-soft">{t('change.nothing')}</p> : <Diff lines={shown.diff} />}
          </Section>
          {done?.backup != null && (
            <Section title={t('change.backup')}>
              <ForeignText mono text={done.backup} limit={1000} className="wrap-anywhere" />
            </Section>
          )}
          {shown.notes.length > 0 && (
            <Section title={t('change.notes')}>
              <ul lang="en" className="list-disc pl-4">
                {shown.notes.map((note) => (
                  <li key={note} className="wrap-anywhere">
                    <ForeignText text={note} limit={600} />
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </>
      )}
    </Dialog>
  );
}
