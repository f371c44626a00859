import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { AUTONOMY_LEVELS, type AutonomyLevel } from '../../../shared/domain/capability.ts';
import type { LevelPreview } from '../../../shared/domain/level.ts';
import { rpc } from '../../rpc/client.ts';
import { useConnection } from '../../rpc/connection.store.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { toProblem } from '../../rpc/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { LevelSign } from '../../ui/level-mark.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useUiText } from '../../ui/strings.ts';
import { showToast } from '../../ui/toast.store.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useProblemText } from '../i18n/problem-text.ts';
import { useAt } from '../use-at.ts';
import { FreezeButton } from './freeze.tsx';
import { directionOf, nextFallBack } from './level.logic.ts';
import { takeLevelState, useLevelInForce, useLevels } from './level.store.ts';
import { RaiseDialog } from './raise-dialog.tsx';
import { ScopeChooser, useScopeName } from './scope-chooser.tsx';
import { useLevelText } from './strings.ts';
import { TimedChip } from './timed-chip.tsx';
import { useUnfreezing } from './unfreeze.store.ts';

/** Keeps the store at what the engine says, also when another program changed pairings.db. */
function useLevelSync(): void {
  const query = useQuery(rpc.level.state, {});
  const { data, problem } = query;
  useEffect(() => {
    if (data) takeLevelState(data);
  }, [data]);
  useEffect(() => useLevels.setState({ problem }), [problem]);
  useSubscription(rpc.level.changed, () => ({}), takeLevelState);
  // The engine tells of a fall-back too; asking at the instant covers one that it noticed only when asked.
  const ends = useLevels((levels) => nextFallBack(levels.state));
  useAt(ends, query.refetch);
}

function closedDetail(t: ReturnType<typeof useLevelText>, preview: LevelPreview | null): string {
  const closed = preview?.cells.filter((cell) => cell.from !== cell.to && !cell.opens) ?? [];
  if (closed.length === 0) return t('closedNothing');
  return t('closed', { count: closed.length, names: closed.map((cell) => cell.capability).join(', ') });
}

/** The level in force and the way to change it: down in one click, up through the dialog. */
export function LevelSwitch() {
  useLevelSync();
  const t = useLevelText();
  const ui = useUiText();
  const problemText = useProblemText();
  const now = useLevelInForce();
  const problem = useLevels((levels) => levels.problem);
  const filesProblem = useLevels((levels) => levels.state?.problem ?? null);
  const scopeName = useScopeName();
  const offline = useConnection((connection) => connection.state !== 'open');
  const [raising, setRaising] = useState<AutonomyLevel | null>(null);

  async function lower(to: AutonomyLevel) {
    if (!now) return;
    // Asked in the same breath, for the message alone: lowering never waits for it.
    const preview = rpc.level.preview({ scope: now.scope, to }).catch(() => null);
    try {
      takeLevelState(await rpc.level.set({ scope: now.scope, to }));
      showToast({ text: t('lowered', { scope: scopeName, level: ui(to) }), detail: closedDetail(t, await preview) });
    } catch (error) {
      const found = toProblem(error);
      const text = problemText(found);
      showToast({ tone: 'error', text: t('failed'), detail: `${text.title}. ${found.message ?? text.advice}` });
    }
  }

  function onChoose(to: AutonomyLevel) {
    if (!now) return;
    const direction = directionOf(now, to);
    if (direction === 'raise' && now.frozen) {
      showToast({ text: t('frozen.raise') });
      useUnfreezing.setState({ open: true });
    } else if (direction === 'raise') setRaising(to);
    else if (direction !== 'same') void lower(to);
  }

  return (
    <div className="flex min-w-0 items-center gap-1">
      <ScopeChooser />
      {!now && !problem && <Skeleton className="h-6 w-60" />}
      {!now && problem && (
        <Tooltip text={problemText(problem).advice}>
          <span className="inline-flex items-center gap-1.5 text-deny">
            <TriangleAlert aria-hidden size={13} />
            {t('unavailable')}
          </span>
        </Tooltip>
      )}
      {now && (
        <Segmented
          label={t('label', { scope: scopeName })}
          manual
          value={now.level}
          disabled={now.revoked || offline}
          onChange={onChoose}
          options={AUTONOMY_LEVELS.map((level) => ({
            value: level,
            name: ui(level),
            label: (
              <>
                <LevelSign level={level} />
                <span>{ui(level)}</span>
              </>
            ),
          }))}
        />
      )}
      {now?.timed && !now.frozen && <TimedChip timed={now.timed} />}
      {now?.revoked && (
        <Note text={t('revokedHelp')}>
          <Badge tone="deny">{t('revoked')}</Badge>
        </Note>
      )}
      {now && now.unknownText !== null && !now.revoked && (
        <Note text={t('unknownHelp', { stored: foreignToPlain(now.unknownText) })}>
          <Badge tone="ask">“{foreignToPlain(now.unknownText).slice(0, 24)}”</Badge>
        </Note>
      )}
      {filesProblem !== null && (
        <Note text={t('problem', { problem: filesProblem })}>
          <TriangleAlert aria-hidden size={14} className="text-ask" />
        </Note>
      )}
      <FreezeButton />
      {raising && now && <RaiseDialog now={now} to={raising} onClose={() => setRaising(null)} />}
    </div>
  );
}

/** A sign with its explanation, which the keyboard reaches too. */
function Note(props: { text: string; children: React.ReactNode }) {
  return (
    <Tooltip text={props.text}>
      <button type="button" className="ml-1 inline-flex rounded-sm" aria-label={props.text}>
        {props.children}
      </button>
    </Tooltip>
  );
}
