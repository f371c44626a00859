import { useState } from 'react';
import type { AgentProbe, AgentView } from '../../../shared/rpc/agents.ts';
import { DecisionMark } from '../../app/line/decision-mark.tsx';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useSettingsText } from './strings.ts';

const SIGN = { guarded: 'allowed', denied: 'approval_required', open: 'denied' } as const;

/** One agent: whether it asks, what it last asked, and what became of the last probe. */
export function AgentRow(props: {
  agent: AgentView;
  onChange: (verb: 'install' | 'uninstall') => void;
  onProbed: () => void;
}) {
  const t = useSettingsText();
  const { agent } = props;
  const [state, setState] = useState<{ busy: boolean; problem: Problem | null }>({ busy: false, problem: null });
  async function probe() {
    setState({ busy: true, problem: null });
    try {
      await rpc.agents.probe({ client: agent.client });
      setState({ busy: false, problem: null });
    } catch (error) {
      setState({ busy: false, problem: toProblem(error) });
    }
    props.onProbed();
  }
  const tone = agent.problem !== null ? 'deny' : agent.installed ? 'allow' : 'plain';
  const word = agent.installed ? (agent.problem === null ? 'agent.installed' : 'agent.hindered') : 'agent.absent';
  return (
    <li
      className="border-b border-line px-4 py-2.5"
      data-testid={`agent-${agent.client}`}
      data-installed={agent.installed}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{agent.title}</span>
        <Badge tone={tone}>{t(word)}</Badge>
        <span className="min-w-0 text-faint wrap-anywhere">
          <ForeignText mono text={agent.path} limit={400} />
        </span>
        <span className="ml-auto flex gap-2">
          {agent.installed && (
            <Button
              size="sm"
              aria-label={`${t(state.busy ? 'probe.busy' : 'probe')} ${agent.title}`}
              disabled={state.busy}
              onClick={() => void probe()}
            >
              {t(state.busy ? 'probe.busy' : 'probe')}
            </Button>
          )}
          <Button
            size="sm"
            aria-label={`${t(agent.installed ? 'remove' : 'install')} ${agent.title}`}
            onClick={() => props.onChange(agent.installed ? 'uninstall' : 'install')}
          >
            {t(agent.installed ? 'remove' : 'install')}
          </Button>
        </span>
      </div>
      {agent.problem !== null && (
        <p className="mt-1 text-deny wrap-anywhere">
          <ForeignText text={agent.problem} limit={600} />
        </p>
      )}
      <dl className="mt-1 grid grid-cols-[7rem_minmax(0,1fr)] gap-y-0.5">
        <dt className="text-faint">{t('agent.last')}</dt>
        <dd className="flex min-w-0 flex-wrap items-center gap-x-3">
          <LastCall last={agent.last} />
        </dd>
        <dt className="text-faint">{t('agent.probe')}</dt>
        <dd>
          {agent.probe === null ? (
            <span className="text-faint">{t('probe.never')}</span>
          ) : (
            <Probe probe={agent.probe} />
          )}
        </dd>
      </dl>
      {state.problem && (
        <div className="mt-2">
          <ErrorStrip problem={state.problem} />
        </div>
      )}
    </li>
  );
}

function LastCall(props: { last: AgentView['last'] }) {
  const t = useSettingsText();
  const { last } = props;
  if (last === null) return <span className="text-faint">{t('agent.noCall')}</span>;
  return (
    <>
      <DecisionMark decision={last.decision} />
      <ForeignText mono text={last.executor} limit={120} />
      <ForeignText mono text={last.rule} limit={200} className="min-w-0 text-faint wrap-anywhere" />
      <span className="text-xs text-faint">
        <RelativeTime ms={last.at} />
      </span>
    </>
  );
}

function Probe(props: { probe: AgentProbe }) {
  const t = useSettingsText();
  const { state, detail, at, unasked } = props.probe;
  return (
    <div data-probe={state}>
      <p className="flex flex-wrap items-center gap-x-3">
        {state === 'absent' ? t('probe.absent') : <OutcomeMark outcome={SIGN[state]} word={t(`probe.${state}`)} />}
        <span className="text-xs text-faint">
          <RelativeTime ms={at} />
        </span>
      </p>
      {detail !== '' && (
        <p lang="en" className="text-xs text-faint wrap-anywhere">
          <ForeignText text={detail} limit={600} />
        </p>
      )}
      {unasked !== null && unasked.of > 0 && (
        <p className={unasked.calls > 0 ? 'text-deny' : 'text-soft'}>
          {unasked.calls > 0
            ? t('unasked', { count: unasked.calls, of: unasked.of, sessions: unasked.sessions })
            : t('unasked.none', { of: unasked.of })}
        </p>
      )}
    </div>
  );
}
