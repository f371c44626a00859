import { useNavigate } from '@tanstack/react-router';
import { type LucideIcon, TriangleAlert } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import type { TurnRow } from '../../../shared/domain/turn.ts';
import { wordsOf } from '../../../shared/lib/text-match.ts';
import { rpc } from '../../rpc/client.ts';
import { type Query, useQuery } from '../../rpc/hooks.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useAppText } from '../i18n/app-text.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { PAGES } from '../pages.ts';
import { useSettled } from '../use-settled.ts';
import type { Command } from './command.ts';
import { createFinder, SHOWN } from './found.logic.ts';

/** What one kind of thing has to say to a search. */
export interface Found {
  commands: Command[];
  /** Told beside them: what is still on its way, or left out. */
  notes: string[];
}

/** Turns are looked for in the engine, so not with each letter of a word, ms. */
const SETTLED_MS = 120;

const iconOf = (path: (typeof PAGES)[number]['path']): LucideIcon =>
  PAGES.find((page) => page.path === path)?.icon ?? TriangleAlert;

/** A line that says what could not be looked through, and looks again. */
function useAgain(): (id: string, group: string, why: ReactNode, query: Pick<Query<unknown>, 'refetch'>) => Command {
  const t = useAppText();
  return (id, group, why, query) => ({
    id: `again-${id}`,
    group,
    label: why,
    icon: TriangleAlert,
    hint: t('go.again'),
    stays: true,
    run: query.refetch,
  });
}

/** A thing, and what tells it from others like it. */
function Named(props: { text: string; mono?: boolean; beside: readonly (string | null)[] }) {
  const beside = props.beside.filter((each): each is string => each !== null && each !== '');
  return (
    <>
      <ForeignText text={props.text} mono={props.mono ?? false} limit={160} />
      {beside.map((each, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them may say the same
        <span key={place} className="text-faint">
          {place === 0 ? '  ' : ' · '}
          <ForeignText text={each} limit={60} />
        </span>
      ))}
    </>
  );
}

function useGrantsFound(text: string, on: boolean): Found {
  const t = useAppText();
  const navigate = useNavigate();
  const again = useAgain();
  const problemText = useProblemText();
  const query = useQuery(rpc.grants.list, {}, { enabled: on });
  const { data, problem, loading } = query;
  const find = useMemo(
    () =>
      createFinder(data?.grants ?? [], ({ target, capability, sender_id, channel }: GrantView) =>
        [target, capability, sender_id, channel].join(' '),
      ),
    [data],
  );
  const hits = useMemo(() => find(text), [find, text]);
  const group = t('page.grants');
  const icon = iconOf('/grants');
  const commands: Command[] = hits.shown.map((grant) => ({
    id: `grant-${grant.id}`,
    group,
    label: <Named text={grant.target} mono beside={[grant.capability, [grant.sender_id, grant.channel].join(' / ')]} />,
    icon,
    run: () =>
      void navigate({
        to: '/grants',
        search: {
          ...(grant.channel === '' ? {} : { channel: grant.channel }),
          ...(grant.sender_id === '' ? {} : { sender: grant.sender_id }),
          ...(grant.capability === '' ? {} : { capability: grant.capability }),
          ...(grant.target === '' ? {} : { text: grant.target }),
        },
      }),
  }));
  if (hits.total > SHOWN) {
    commands.push({
      id: 'grants-all',
      group,
      label: t('go.allGrants', { count: hits.total }),
      icon,
      run: () => void navigate({ to: '/grants', search: { text: text.trim() } }),
    });
  }
  if (problem) commands.push(again('grants', group, t('go.failed.grants', { why: problemText(problem).title }), query));
  else if (data && data.problem !== null) {
    commands.push(again('grants', group, <Unread said={t('go.unread.grants')} why={data.problem} />, query));
  }
  return { commands, notes: loading ? [t('go.searching.grants')] : [] };
}

function Unread(props: { said: string; why: string | null }) {
  return (
    <>
      {props.said}
      {props.why !== null && (
        <span className="text-faint">
          {' '}
          <ForeignText text={props.why} limit={200} />
        </span>
      )}
    </>
  );
}

function useExecutorsFound(text: string, on: boolean): Found {
  const t = useAppText();
  const navigate = useNavigate();
  const again = useAgain();
  const problemText = useProblemText();
  const query = useQuery(rpc.audit.stats, { range: 'all' }, { enabled: on });
  const { data, problem, loading } = query;
  const find = useMemo(
    () =>
      createFinder(
        (data?.by_executor ?? []).filter(({ executor }) => executor !== ''),
        ({ executor }) => executor,
      ),
    [data],
  );
  const hits = useMemo(() => find(text), [find, text]);
  const group = t('go.executors');
  const commands: Command[] = hits.shown.map(({ executor, total }) => ({
    id: `executor-${executor}`,
    group,
    label: <Named text={executor} mono beside={[t('go.verdicts', { count: total })]} />,
    icon: iconOf('/audit'),
    run: () => void navigate({ to: '/audit', search: { executor } }),
  }));
  const index = data?.index;
  if (problem) {
    commands.push(again('executors', group, t('go.failed.executors', { why: problemText(problem).title }), query));
  } else if (index?.problem === 'unreadable' || index?.problem === 'failed') {
    commands.push(again('executors', group, <Unread said={t('go.unread.executors')} why={index.detail} />, query));
  } else if (index && index.phase !== 'following' && index.problem === null) {
    commands.push(again('executors', group, t('go.reading.executors'), query));
  }
  const notes = loading ? [t('go.searching.executors')] : [];
  if (hits.total > SHOWN) notes.push(t('go.moreExecutors', { count: hits.total - SHOWN }));
  return { commands, notes };
}

function useTurnsFound(text: string, open: boolean): Found {
  const t = useAppText();
  const navigate = useNavigate();
  const again = useAgain();
  const problemText = useProblemText();
  const settled = useSettled(text, SETTLED_MS);
  const on = open && wordsOf(settled).length > 0;
  const query = useQuery(rpc.turns.page, { filter: { text: settled }, limit: SHOWN }, { enabled: on });
  const isAsked = open && wordsOf(text).length > 0;
  if (!isAsked) return { commands: [], notes: [] };
  const group = t('page.turns');
  // What was found for other letters is no answer to these.
  if (settled !== text || query.loading) return { commands: [], notes: [t('go.searching.turns')] };
  const { data, problem } = query;
  const icon = iconOf('/turns');
  const commands: Command[] = (data?.rows ?? []).map((row: TurnRow) => ({
    id: `turn-${row.key}`,
    group,
    label: <Named text={row.intent} beside={[row.sender, row.channel]} />,
    icon,
    run: () => void navigate({ to: '/turns', search: { turn: row.key } }),
  }));
  if (data?.more) {
    commands.push({
      id: 'turns-all',
      group,
      label: t('go.allTurns'),
      icon,
      run: () => void navigate({ to: '/turns', search: { text: text.trim() } }),
    });
  }
  const state = data?.state;
  const unread = state?.problem === 'unreadable' || state?.problem === 'failed' ? state.detail : state?.line_problem;
  if (problem) commands.push(again('turns', group, t('go.failed.turns', { why: problemText(problem).title }), query));
  else if (state && (unread != null || state.phase === 'failed')) {
    commands.push(again('turns', group, <Unread said={t('go.unread.turns')} why={unread ?? null} />, query));
  } else if (state && state.phase !== 'following') commands.push(again('turns', group, t('go.reading.turns'), query));
  return { commands, notes: [] };
}

/**
 * Grants, executors and turns that a search finds, in this order.
 *
 * @param open false: nothing is asked for
 */
export function useFound(search: string, open: boolean): Found {
  const text = search.trim();
  const on = open && text !== '';
  const parts = [useGrantsFound(text, on), useExecutorsFound(text, on), useTurnsFound(text, on)];
  return { commands: parts.flatMap(({ commands }) => commands), notes: parts.flatMap(({ notes }) => notes) };
}
