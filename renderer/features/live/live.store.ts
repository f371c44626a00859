import { create } from 'zustand';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import type { IndexState, LiveEvent, VerdictFilter } from '../../../shared/rpc/audit.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { matchesFilter } from '../../verdicts/verdict-match.logic.ts';
import { LiveList } from './live-list.logic.ts';

const PAGE_ROWS = 200;
/** While the index is being built the page is asked for again at most this often, ms. */
const REFRESH_MS = 700;
/** In a hidden window no frame comes; rows are then taken in as soon as there are this many. */
const MOST_UNSEEN = 2000;

interface Live {
  list: LiveList;
  /** Grows with every change of the list, which is changed in place. */
  version: number;
  index: IndexState | null;
  filter: VerdictFilter;
  /** The person has stopped the stream. */
  paused: boolean;
  /** The list is scrolled away from its top: what arrives waits, so that nothing jumps. */
  away: boolean;
  /** The row whose details are open, and the one the keys stand on. */
  open: VerdictRow | null;
  current: number | null;
  /** True until the first page of the present filter is here. */
  loading: boolean;
  problem: Problem | null;
  older: 'idle' | 'loading' | 'failed';
}

export const useLive = create<Live>(() => ({
  list: new LiveList(),
  version: 0,
  index: null,
  filter: {},
  paused: false,
  away: false,
  open: null,
  current: null,
  loading: true,
  problem: null,
  older: 'idle',
}));

const bump = (more: Partial<Live> = {}) => useLive.setState((now) => ({ ...more, version: now.version + 1 }));

let round = 0;
let lastLoad = 0;
/** Rows that came while the newest page was on its way: it may have been made before them. */
let meanwhile: VerdictRow[] | null = null;
/** The list has to be loaded anew as soon as it no longer stands still. */
let outdated = false;

const stands = () => useLive.getState().paused || useLive.getState().away;

/** Loads the newest page of the present filter and starts the list anew with it. */
export async function loadNewest(): Promise<void> {
  round += 1;
  const mine = round;
  lastLoad = Date.now();
  outdated = false;
  meanwhile = [];
  try {
    const { list, filter } = useLive.getState();
    const page = await rpc.audit.page({ filter, limit: PAGE_ROWS });
    if (mine !== round) return;
    list.reset(page.rows, page.more);
    list.addNew(
      (meanwhile ?? []).filter((row) => matchesFilter(row, filter)),
      false,
    );
    meanwhile = null;
    bump({ index: page.index, loading: false, problem: null, older: 'idle' });
  } catch (error) {
    if (mine === round) useLive.setState({ problem: toProblem(error), loading: false });
  }
}

/** Loads the page behind the last row; does nothing while one is on its way. */
export async function loadOlder(): Promise<void> {
  const { list, older, filter } = useLive.getState();
  const last = list.row(list.length - 1);
  if (!last || !list.more || older === 'loading') return;
  const mine = round;
  useLive.setState({ older: 'loading' });
  try {
    const page = await rpc.audit.page({ filter, before: last.seq, limit: PAGE_ROWS });
    if (mine !== round) return;
    list.addOlder(page.rows, page.more);
    bump({ older: 'idle', index: page.index });
  } catch (error) {
    if (mine !== round) return;
    // The row that the page would follow is gone from the index: the list is no longer what is there.
    if (toProblem(error).code === 'not-found') await loadNewest();
    else useLive.setState({ older: 'failed' });
  }
}

/** Shows another selection; the rows of the old one go. With the same one the list goes on where it was. */
export function setFilter(filter: VerdictFilter): void {
  const same = JSON.stringify(filter) === JSON.stringify(useLive.getState().filter);
  if (same && !useLive.getState().loading) return;
  useLive.getState().list.reset([], false);
  bump({ filter, loading: true, problem: null, current: null });
  void loadNewest();
}

export function setPaused(paused: boolean): void {
  useLive.setState({ paused });
  flow();
}

/** Says that the list is scrolled away from its top, or back at it. */
export function setAway(away: boolean): void {
  if (useLive.getState().away === away) return;
  useLive.setState({ away });
  flow();
}

/** Lets in everything that waits, and flows again. */
export function catchUp(): void {
  useLive.setState({ paused: false, away: false });
  flow();
}

function flow(): void {
  if (!stands()) {
    useLive.getState().list.release();
    if (outdated) void loadNewest();
  }
  bump();
}

let inbox: VerdictRow[] = [];
let frame: number | null = null;

function takeIn(): void {
  if (frame !== null) cancelAnimationFrame(frame);
  frame = null;
  const rows = inbox;
  inbox = [];
  if (rows.length === 0) return;
  const { list, filter } = useLive.getState();
  list.saw(rows);
  list.addNew(
    rows.filter((row) => matchesFilter(row, filter)),
    stands(),
  );
  bump();
}

function refresh(): void {
  if (stands()) outdated = true;
  else void loadNewest();
}

/** Takes an event of the stream: rows are let in once a frame, however many come. */
export function takeLive(event: LiveEvent): void {
  const { index: before, list } = useLive.getState();
  useLive.setState({ index: event.index });
  if (event.reset) {
    inbox = [];
    list.forget();
    void loadNewest();
    return;
  }
  if (event.index.phase !== 'following') {
    // Rows do not come one by one while the index is being built; the page fills in steps.
    if (event.index.lines !== before?.lines && Date.now() - lastLoad > REFRESH_MS) refresh();
    return;
  }
  if (before?.phase !== 'following') refresh();
  if (event.rows.length === 0) return;
  meanwhile?.push(...event.rows);
  inbox.push(...event.rows);
  // No frame comes in a hidden window.
  if (inbox.length > MOST_UNSEEN) takeIn();
  else frame ??= requestAnimationFrame(takeIn);
}
