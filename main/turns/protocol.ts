import type { DecisionRow } from '../../shared/domain/decision.ts';
import type { Turn, TurnRow } from '../../shared/domain/turn.ts';
import type { TurnFilter, TurnsState } from '../../shared/rpc/turns.ts';
import type { WorkerAnswer } from '../engine/worker-calls.ts';
import type { StepPlace, StepValues } from './turn-detail.ts';
import type { Choice } from './turn-index.ts';

/** What the main thread and the turns worker say to each other. */
export interface ListedTurn {
  row: TurnRow;
  /** `ts` of its first line in the verdict log, Unix seconds, where our own line keeps it. */
  verdict_ts: number | null;
}
export interface WholeTurn {
  turn: Turn;
  /** For each step. */
  places: StepPlace[];
  verdict_ts: number | null;
}

export interface Answers {
  page: {
    input: { filter: TurnFilter; before: string | undefined; limit: number };
    output: { turns: ListedTurn[]; more: boolean; state: TurnsState };
  };
  choices: {
    input: null;
    output: { channels: Choice[]; senders: Choice[]; outcomes: Choice[]; executors: Choice[] };
  };
  get: { input: { key: string }; output: WholeTurn };
  values: { input: { key: string; index: number }; output: StepValues };
  raw: { input: { key: string }; output: { text: string | null; left: number; problem: string | null } };
  /** Keys of the turns that were going on at a time, Unix ms, with a step of this executor and this intent. */
  around: { input: { ms: number; executor: string; intent: string }; output: string[] };
  /** The kept answer whose line in the verdict log has this `ts`, and the key of its turn. */
  decisionOf: { input: { ts: number }; output: { decision: DecisionRow; key: string } | null };
  /** `turns` is null when the pages have to be loaded again. */
  changes: { input: { since: number }; output: { turns: ListedTurn[] | null; version: number } };
}
export type Op = keyof Answers;

/** The folder of Claude Code's transcripts from now on; null: none is read. */
export interface TranscriptsOf {
  op: 'transcripts';
  folder: string | null;
}

export type ToWorker =
  | { [O in Op]: { op: O; id: number; input: Answers[O]['input'] } }[Op]
  | TranscriptsOf
  | { op: 'close' };

/** How the reader stands; sent whenever that has changed. */
export interface Tick {
  state: TurnsState;
  /** Grows with each change of a turn. */
  version: number;
  /** Grows whenever turns are gone. */
  removals: number;
}

export type FromWorker = { type: 'tick'; tick: Tick } | WorkerAnswer;

export interface WorkerSetup {
  folder: string;
  panelDb: string;
  /** Folder of Claude Code's transcripts; null while they are switched off. */
  transcripts: string | null;
}
