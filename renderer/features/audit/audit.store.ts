import { create } from 'zustand';
import type { Act } from '../../../shared/domain/integrity.ts';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import type { IndexState, LiveEvent } from '../../../shared/rpc/audit.ts';
import { type AuditSearch, verdictFilter } from '../../app/links.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { matchesFilter } from '../../verdicts/verdict-match.logic.ts';
import { type Loaded, partsShown, reachOf } from './entries.logic.ts';

const PAGE_ROWS = 200;
const PAGE_ACTS = 200;
/** While the index is being built the list is loaded again at most this often, ms. */
const REFRESH_MS = 1500;

interface Audit extends Loaded {
  search: AuditSearch;
  index: IndexState | null;
  /** True until the first page of the present filter is here. */
  loading: boolean;
  problem: Problem | null;
  older: 'idle' | 'loading' | 'failed';
  /** Verdicts that match and came since the list was loaded. */
  fresh: number;
  /** What the list shows is no longer what is in the index. */
  outdated: boolean;
}

export const useAudit = create<Audit>(() => ({
  rows: [],
  rowsMore: false,
  acts: [],
  actsMore: false,
  search: {},
  index: null,
  loading: true,
  problem: null,
  older: 'idle',
  fresh: 0,
  outdated: false,
}));

let round = 0;
let lastLoad = 0;
/** How far the stream has come, so that it goes on from there. */
let lastSeq: number | null = null;

export const liveInput = () => (lastSeq === null ? {} : { after: lastSeq });

async function verdictsBehind(search: AuditSearch, before: number | undefined) {
  const page = await rpc.audit.page({
    filter: verdictFilter(search),
    limit: PAGE_ROWS,
    ...(before === undefined ? {} : { before }),
  });
  useAudit.setState({ index: page.index });
  return page;
}

/** Acts from where they are loaded to, down to a time. */
async function actsDownTo(search: AuditSearch, loaded: Pick<Loaded, 'acts' | 'actsMore'>, reach: number) {
  let acts: readonly Act[] = loaded.acts;
  let more = loaded.actsMore;
  while (more && (acts.at(-1)?.at ?? Number.POSITIVE_INFINITY) >= reach) {
    const before = acts.at(-1)?.id;
    const page = await rpc.audit.acts({
      limit: PAGE_ACTS,
      ...(search.act === undefined ? {} : { kind: search.act }),
      ...(search.from === undefined ? {} : { from_ts: search.from }),
      ...(search.to === undefined ? {} : { to_ts: search.to }),
      ...(before === undefined ? {} : { before }),
    });
    acts = [...acts, ...page.rows];
    more = page.more && page.rows.length > 0;
  }
  return { acts, actsMore: more };
}

/** Loads the newest page of what is asked for and starts the list anew with it. */
export async function loadNewest(): Promise<void> {
  round += 1;
  const mine = round;
  lastLoad = Date.now();
  const { search } = useAudit.getState();
  const shown = partsShown(search);
  try {
    const page = shown.verdicts ? await verdictsBehind(search, undefined) : { rows: [], more: false };
    const halves = { rows: page.rows, rowsMore: page.more };
    const nothing = { acts: [], actsMore: shown.acts };
    // Without verdicts one page of acts is enough to begin with.
    const reach = shown.verdicts ? reachOf(halves) : Number.POSITIVE_INFINITY;
    const acts = await actsDownTo(search, nothing, reach);
    if (mine !== round) return;
    useAudit.setState({ ...halves, ...acts, loading: false, problem: null, older: 'idle', fresh: 0, outdated: false });
  } catch (error) {
    if (mine === round) useAudit.setState({ problem: toProblem(error), loading: false });
  }
}

/** Loads what lies behind the last row; does nothing while that is on its way. */
export async function loadOlder(): Promise<void> {
  const { search, rows, rowsMore, acts, actsMore, older } = useAudit.getState();
  if (older === 'loading' || !(rowsMore || actsMore)) return;
  const mine = round;
  useAudit.setState({ older: 'loading' });
  try {
    let halves: Pick<Loaded, 'rows' | 'rowsMore'> = { rows, rowsMore };
    if (rowsMore) {
      const page = await verdictsBehind(search, rows.at(-1)?.seq);
      halves = { rows: [...rows, ...page.rows], rowsMore: page.more };
    }
    const onlyActs = !partsShown(search).verdicts;
    const reach = onlyActs ? (acts.at(-1)?.at ?? 0) : reachOf(halves);
    const more = await actsDownTo(search, { acts, actsMore }, reach);
    if (mine === round) useAudit.setState({ ...halves, ...more, older: 'idle' });
  } catch (error) {
    if (mine !== round) return;
    if (toProblem(error).code === 'not-found') await loadNewest();
    else useAudit.setState({ older: 'failed' });
  }
}

/** Shows another selection; with the same one the list goes on where it was. */
export function setSearch({ row: _, ...search }: AuditSearch): void {
  const same = JSON.stringify(search) === JSON.stringify(useAudit.getState().search);
  if (same && !useAudit.getState().loading) return;
  useAudit.setState({ search, rows: [], rowsMore: false, acts: [], actsMore: false, loading: true, problem: null });
  void loadNewest();
}

/** Finds a verdict that a link names, a few pages down if it has to. */
export async function findRow(seq: number, mostPages = 10): Promise<VerdictRow | null> {
  const mine = round;
  for (let page = 0; ; page++) {
    const { rows, rowsMore } = useAudit.getState();
    const found = rows.find((row) => row.seq === seq);
    if (found !== undefined || !rowsMore || page === mostPages || mine !== round) return found ?? null;
    await loadOlder();
  }
}

/** Takes an event of the stream: the list stands still, and says what it does not show yet. */
export function takeLive(event: LiveEvent): void {
  const { index: before, search, loading } = useAudit.getState();
  useAudit.setState({ index: event.index });
  const last = event.rows.at(-1);
  if (last !== undefined) lastSeq = Math.max(lastSeq ?? last.seq, last.seq);
  if (event.reset) {
    lastSeq = null;
    useAudit.setState({ outdated: true });
    return;
  }
  if (event.index.phase !== 'following') {
    if (event.index.lines !== before?.lines && Date.now() - lastLoad > REFRESH_MS) void loadNewest();
    return;
  }
  if (before !== null && before.phase !== 'following') {
    void loadNewest();
    return;
  }
  if (loading || !partsShown(search).verdicts) return;
  const filter = verdictFilter(search);
  const fresh = event.rows.filter((row) => matchesFilter(row, filter)).length;
  if (fresh > 0) useAudit.setState((now) => ({ fresh: now.fresh + fresh }));
}
