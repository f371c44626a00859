import type { Act, ActKind, Integrity } from '../../shared/domain/integrity.ts';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import type {
  CountFilter,
  CountKey,
  Counts,
  IndexState,
  Stats,
  StatsRange,
  VerdictFilter,
} from '../../shared/rpc/audit.ts';
import type { ErrorCode } from '../engine/errors.ts';
import type { WorkerAnswer } from '../engine/worker-calls.ts';

/** What the main thread and the index worker say to each other. */
export interface Page {
  rows: VerdictRow[];
  more: boolean;
  index: IndexState;
}
export interface RawLine {
  text: string | null;
  problem: string | null;
}
export interface Answers {
  page: { input: { filter: VerdictFilter; before: number | undefined; limit: number }; output: Page };
  raw: { input: { seq: number }; output: RawLine };
  stats: { input: { range: StatsRange; now: number; threshold: number }; output: Stats };
  counts: { input: { by: CountKey[]; filter: CountFilter }; output: Counts };
  integrity: { input: null; output: Integrity };
  verify: { input: null; output: Integrity };
  acknowledge: { input: { ids: number[] }; output: Integrity };
  acts: {
    input: {
      kind?: ActKind | undefined;
      from_ts?: number | undefined;
      to_ts?: number | undefined;
      before?: number | undefined;
      limit: number;
    };
    output: { rows: Act[]; more: boolean };
  };
  rowsAfter: { input: { seq: number; limit: number }; output: VerdictRow[] };
}
export type Op = keyof Answers;

export type ToWorker = { [O in Op]: { op: O; id: number; input: Answers[O]['input'] } }[Op] | { op: 'close' };

/** Where the index lives: in panel.db, or in memory for as long as the process, because panel.db cannot be used. */
export interface StoreState {
  kind: 'file' | 'memory';
  problem: { code: ErrorCode; message: string } | null;
}

/** How the index stands; sent whenever it has changed. */
export interface Tick {
  state: IndexState;
  /** Rows that can be asked for lie in [first_seq, last_seq]. */
  first_seq: number;
  last_seq: number;
  /** Grows whenever rows that could be asked for are gone. */
  removals: number;
  store: StoreState;
}

export type FromWorker = { type: 'tick'; tick: Tick } | WorkerAnswer;

export interface WorkerSetup {
  folder: string;
  panelDb: string;
  grantsDb: string;
  approvalsDb: string;
  /** File that keeps the head of the record. */
  headFile: string;
  /** Compare the log with the record once, when all is indexed. */
  compare?: boolean;
}
