import { create } from 'zustand';
import type { TurnRow } from '../../../shared/domain/turn.ts';
import type { OutputOf } from '../../../shared/rpc/contract.ts';
import type { TurnFilter, TurnsState, turnsContract } from '../../../shared/rpc/turns.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { addOlder, mergeRows } from './turn-list.logic.ts';

const PAGE_ROWS = 100;
/** While the log is being read, or a filter is on, the page is asked for again at most this often, ms. */
const REFRESH_MS = 500;

interface Turns {
  rows: readonly TurnRow[];
  more: boolean;
  filter: TurnFilter;
  state: TurnsState | null;
  /** True until the first page of the present filter is here. */
  loading: boolean;
  problem: Problem | null;
  older: 'idle' | 'loading' | 'failed';
}

export const useTurns = create<Turns>(() => ({
  rows: [],
  more: false,
  filter: {},
  state: null,
  loading: true,
  problem: null,
  older: 'idle',
}));

let round = 0;
let refresh: ReturnType<typeof setTimeout> | null = null;
/** Turns that changed while the newest page was on its way: it may have been made before. */
let meanwhile: TurnRow[] | null = null;

const isOpen = (filter: TurnFilter): boolean => Object.keys(filter).length === 0;

/** Loads the newest page of the present filter and starts the list anew with it. */
export async function loadNewest(): Promise<void> {
  round += 1;
  const mine = round;
  if (refresh !== null) clearTimeout(refresh);
  refresh = null;
  meanwhile = [];
  const { filter } = useTurns.getState();
  try {
    const page = await rpc.turns.page({ filter, limit: PAGE_ROWS });
    if (mine !== round) return;
    const { rows } = mergeRows(page.rows, meanwhile, { more: page.more, open: isOpen(filter) });
    meanwhile = null;
    useTurns.setState({ rows, more: page.more, state: page.state, loading: false, problem: null, older: 'idle' });
  } catch (error) {
    if (mine === round) useTurns.setState({ problem: toProblem(error), loading: false });
  }
}

/** Loads the page behind the last row; does nothing while one is on its way. */
export async function loadOlder(): Promise<void> {
  const { rows, more, older, filter } = useTurns.getState();
  const last = rows.at(-1);
  if (!last || !more || older === 'loading') return;
  const mine = round;
  useTurns.setState({ older: 'loading' });
  try {
    const page = await rpc.turns.page({ filter, before: last.key, limit: PAGE_ROWS });
    if (mine !== round) return;
    useTurns.setState((now) => ({ rows: addOlder(now.rows, page.rows), more: page.more, older: 'idle' }));
  } catch (error) {
    if (mine !== round) return;
    if (toProblem(error).code === 'not-found') await loadNewest();
    else useTurns.setState({ older: 'failed' });
  }
}

/** Shows another selection; with the same one the list goes on where it was. */
export function setFilter(filter: TurnFilter): void {
  const same = JSON.stringify(filter) === JSON.stringify(useTurns.getState().filter);
  if (same && !useTurns.getState().loading) return;
  useTurns.setState({ filter, rows: [], more: false, loading: true, problem: null });
  void loadNewest();
}

function refreshSoon(): void {
  refresh ??= setTimeout(() => void loadNewest(), REFRESH_MS);
}

/** Takes an event of the stream. */
export function takeLive(event: OutputOf<typeof turnsContract.live>): void {
  const { state: before, rows, filter, more, loading } = useTurns.getState();
  useTurns.setState({ state: event.state });
  if (event.reset) {
    void loadNewest();
    return;
  }
  // While the log is being read the turns do not come one by one; the page fills in steps.
  if (event.state.phase !== 'following' && event.state.turns !== before?.turns) refreshSoon();
  if (event.rows.length === 0) return;
  meanwhile?.push(...event.rows);
  if (loading) return;
  const merged = mergeRows(rows, event.rows, { more, open: isOpen(filter) });
  useTurns.setState({ rows: merged.rows });
  if (merged.unknown) refreshSoon();
}
