import { setImmediate as macrotask } from 'node:timers/promises';
import type { Integrity } from '../../shared/domain/integrity.ts';
import type { IndexState } from '../../shared/rpc/audit.ts';
import { type AuditQueries, createAuditQueries } from '../db/audit-queries.ts';
import { openAuditStore, StaleIndex } from '../db/audit-store.ts';
import { indexSomeTexts, mergeSomeTexts, textsLeft } from '../db/audit-text.ts';
import { toUserError, type WriteDb } from '../db/open.ts';
import { openPanelDb } from '../db/panel.ts';
import { UserError } from '../engine/errors.ts';
import { countsOf } from './counts.ts';
import { type FolderWatch, identityOf, watchFolder } from './folder-watch.ts';
import { createIndexer, type Indexer } from './indexer.ts';
import { type AuditRecord, openRecord } from './integrity.ts';
import { dayStart, rollUpUnit } from './log-time.ts';
import type { Answers, Op, StoreState, Tick, WorkerSetup } from './protocol.ts';
import { readRaw } from './raw-line.ts';
import { statsOf } from './stats.ts';

/**
 * The worker's work, without its thread: owns the database handle, follows the folder, answers. Where panel.db
 * cannot be used the index lives in memory, built from the same files, and `store` says why.
 */
export interface IndexSession {
  answer<O extends Op>(op: O, input: Answers[O]['input']): Answers[O]['output'] | Promise<Answers[O]['output']>;
  close(): void;
}

const MEMORY = ':memory:';
const BUSY_MS = 2000;
const TEXTS_AT_ONCE = 8000;
/** Pages, about 8 MB. Moving them waits for the disk: seldom while lines come, and otherwise when none has come for so long, ms. */
const CHECKPOINT_PAGES = 2000;
const QUIET_MS = 200;
/** The head is written this often at most, ms: it is a file of its own, and lines come by the thousand. */
const SETTLE_MS = 1000;
/** More than this is compared with the record only when somebody asks, bytes. */
const COMPARED_BY_ITSELF = 1 << 30;

const NO_RECORD: Integrity = {
  state: 'unchecked',
  verified_to: null,
  checked_at: null,
  since: null,
  lines: 0,
  acts: 0,
  findings: [],
  acknowledged: [],
  progress: null,
};

export function startIndexSession(setup: WorkerSetup, onTick: (tick: Tick) => void): IndexSession {
  const unit = rollUpUnit();
  const dirty = { all: true, names: new Set<string>() };
  let closed = false;
  let working = false;
  let gone = 0;
  let settledAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  let quiet: NodeJS.Timeout | null = null;
  let compared = false;
  let warmed = false;
  let lastTick = '';
  let current = open(setup.panelDb);

  function open(path: string): Opened {
    try {
      return openAt(path, null);
    } catch (error) {
      const problem = toUserError(error, path);
      if (path === MEMORY) throw problem;
      return openAt(MEMORY, problem);
    }
  }

  function openAt(path: string, problem: Error | null, busyMs = BUSY_MS): Opened {
    const db = openPanelDb(path, { busyMs });
    try {
      db.pragma(`busy_timeout = ${BUSY_MS}`);
      db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      const store = openAuditStore(db, path, { unit, now: Date.now() });
      const stopped = (): boolean => closed || !db.open;
      const record = path === MEMORY ? null : openRecord(db, setup, () => Date.now() / 1000, tell, stopped);
      const queries = createAuditQueries(db, { unit, dayStart });
      store.onCounted((counted) => queries.take(counted));
      const indexer = createIndexer(
        setup.folder,
        {
          store,
          recorder: record?.recorder ?? null,
          indexTexts: () => {
            queries.forgetWords();
            return indexSomeTexts(db, TEXTS_AT_ONCE);
          },
          textsLeft: () => textsLeft(db),
          elapsed: () => performance.now(),
          hasOtherWork,
        },
        tell,
        () => closed,
      );
      const identity = path === MEMORY ? null : identityOf(path);
      return {
        path,
        identity,
        db,
        store,
        indexer,
        queries,
        record,
        state: storeState(path, problem),
      };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  function reopen(next: () => Opened): void {
    gone += current.indexer.removals() + 1;
    current.db.close();
    current = next();
    warmed = false;
    dirty.all = true;
  }

  function tell(): void {
    if (closed) return;
    const tick: Tick = {
      state: indexState(),
      first_seq: current.store.firstSeq,
      last_seq: current.store.lastSeq(),
      removals: gone + current.indexer.removals(),
      store: current.state,
    };
    const text = JSON.stringify(tick);
    if (text === lastTick) return;
    lastTick = text;
    onTick(tick);
  }

  function indexState(): IndexState {
    const state = current.indexer.state();
    return current.record === null ? state : { ...state, integrity: current.record.summary() };
  }

  /** Acts and head are no part of what was asked: a fault there shows when the record is compared. */
  function settle(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    settledAt = performance.now();
    try {
      current.record?.settle();
    } catch {
      return;
    }
    tell();
  }

  function settleSoon(): void {
    const wait = settledAt + SETTLE_MS - performance.now();
    if (wait <= 0) settle();
    else timer ??= setTimeout(settle, wait).unref();
  }

  function hasOtherWork(): boolean {
    return closed || dirty.all || dirty.names.size > 0;
  }

  /** What can wait until there is nothing else to do. */
  async function tidy(): Promise<void> {
    while (!hasOtherWork() && mergeSomeTexts(current.db)) await macrotask();
    if (quiet !== null) clearTimeout(quiet);
    quiet = setTimeout(checkpoint, QUIET_MS).unref();
  }

  function checkpoint(): void {
    if (working || !current.db.open) return;
    try {
      current.db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // It is done along with a later line.
    }
  }

  /** Once in a session, when all is indexed. */
  function warmOnce(): void {
    if (warmed || hasOtherWork()) return;
    warmed = true;
    current.queries.warm();
  }

  function compareOnce(): void {
    if (compared || setup.compare !== true || current.record === null || hasOtherWork()) return;
    compared = true;
    if (current.indexer.bytes() <= COMPARED_BY_ITSELF) current.record.verify().catch(() => undefined);
  }

  function end(): void {
    if (quiet !== null) clearTimeout(quiet);
    settle();
    current.db.close();
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    while (!closed && (dirty.all || dirty.names.size > 0)) {
      const names = dirty.all ? undefined : new Set(dirty.names);
      dirty.all = false;
      dirty.names.clear();
      try {
        await current.indexer.scan(names);
        if (closed) break;
        settleSoon();
        warmOnce();
        compareOnce();
        await tidy();
      } catch (error) {
        if (!recover(error)) break;
      }
    }
    working = false;
    if (closed) end();
  }

  /** @returns true when there is something to do at once */
  function recover(error: unknown): boolean {
    if (closed) return false;
    const { path } = current;
    const problem = toUserError(error, path);
    if (error instanceof StaleIndex) reopen(() => open(path));
    else if (problem instanceof UserError && problem.code === 'locked') {
      // The next round tries again.
      dirty.all = true;
      current.state = storeState(path, problem);
      tell();
      return false;
    } else if (path !== MEMORY && problem instanceof UserError) reopen(() => openAt(MEMORY, problem));
    else throw problem;
    tell();
    return true;
  }

  function changed(name: string | null): void {
    if (closed) return;
    if (name === null) {
      dirty.all = true;
      if (!working) lookAtDatabase();
    } else dirty.names.add(name);
    void work();
  }

  /** The index is derived: where its file was taken away, exchanged or set free it is built again in the one there is now. */
  function lookAtDatabase(): void {
    const { path, identity, state } = current;
    if (identity !== null && identityOf(path) !== identity) reopen(() => open(path));
    else if (path !== MEMORY) current.state = storeState(path, null);
    else if (state.problem?.code === 'locked') {
      try {
        // Without a wait: whoever asks meanwhile is answered from memory.
        const free = openAt(setup.panelDb, null, 0);
        reopen(() => free);
      } catch {
        // Still locked, or worse: the reason that is told already stands.
      }
    }
  }

  const watch: FolderWatch = watchFolder(setup.folder, changed);
  void work();

  const answers: { [O in Op]: (input: Answers[O]['input']) => Answers[O]['output'] | Promise<Answers[O]['output']> } = {
    page({ filter, before, limit }) {
      const page = current.queries.page(filter, before, limit);
      if (page === null) {
        throw new UserError('not-found', 'The list has changed: its last row is gone. Load it again.', 'before');
      }
      return { ...page, index: indexState() };
    },
    raw: ({ seq }) => readRaw(setup.folder, current.queries.place(seq)),
    stats: ({ range, now, threshold }) => statsOf(current.queries, range, now, threshold, indexState()),
    counts: ({ by, filter }) => countsOf(current.queries, by, filter),
    integrity: () => current.record?.state() ?? NO_RECORD,
    async verify() {
      current.record?.settle();
      return (await current.record?.verify()) ?? NO_RECORD;
    },
    async acknowledge({ ids }) {
      current.record?.settle();
      const state = await current.record?.acknowledge(ids, 'operator');
      if (state === undefined) throw new UserError('not-found', 'There is no record to acknowledge anything in.');
      settle();
      return state;
    },
    acts(asked) {
      settle();
      return current.record?.acts(asked) ?? { rows: [], more: false };
    },
    rowsAfter: ({ seq, limit }) => current.queries.rowsAfter(seq, limit),
  };

  return {
    answer(op, input) {
      const told = (error: unknown): never => {
        throw toUserError(error, current.path);
      };
      try {
        const answer = answers[op](input);
        return answer instanceof Promise ? answer.catch(told) : answer;
      } catch (error) {
        return told(error);
      }
    },
    close() {
      closed = true;
      watch.close();
      if (!working) end();
    },
  };
}

interface Opened {
  path: string;
  identity: string | null;
  db: WriteDb;
  store: ReturnType<typeof openAuditStore>;
  indexer: Indexer;
  queries: AuditQueries;
  record: AuditRecord | null;
  state: StoreState;
}

function storeState(path: string, problem: Error | null): StoreState {
  const kind = path === MEMORY ? 'memory' : 'file';
  if (problem === null) return { kind, problem: null };
  return {
    kind,
    problem: { code: problem instanceof UserError ? problem.code : 'unreadable', message: problem.message },
  };
}
