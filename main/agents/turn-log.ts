import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentContract } from '../../shared/rpc/agent.ts';
import type { InputOf } from '../../shared/rpc/contract.ts';
import type { Clock } from '../engine/clock.ts';
import { localDay } from '../engine/judge-in-force.ts';
import { makeFolder } from '../engine/make-folder.ts';
import type { TurnReports } from './agent-methods.ts';

type Step = InputOf<AgentContract['turn.step']>;
type End = InputOf<AgentContract['turn.end']>;

/** A turn of our own line that is not over. */
interface OpenTurn {
  turn_id: string;
  channel: string;
  actor: string;
  /** Unix time, seconds, fractional. */
  ts_start: number;
  user_query?: string;
  steps: Record<string, unknown>[];
}

const MOST_TURNS = 1000;
const MOST_STEPS = 1000;

export interface TurnLog extends TurnReports {
  /** Writes what was never ended, without a final kind. */
  close(): void;
}

/**
 * Keeps what agents report of their turns, and writes each turn to the turn log when it ends, one line in the shape
 * of that log (files page). A line holds no arguments: none are reported.
 *
 * @param options.folder of the day files
 * @param options.log one line about a turn that could not be written
 */
export function createTurnLog(options: { folder: string; clock: Clock; log: (line: string) => void }): TurnLog {
  const { folder, clock, log } = options;
  /** Oldest first. */
  const open = new Map<string, OpenTurn>();
  const keyOf = ({ channel, sender_id, turn_id }: Step | End): string => JSON.stringify([channel, sender_id, turn_id]);

  const turnOf = (report: Step | End): OpenTurn => {
    const key = keyOf(report);
    const known = open.get(key);
    if (known !== undefined) return known;
    const { turn_id, channel, sender_id } = report;
    const turn: OpenTurn = { turn_id, channel, actor: sender_id, ts_start: clock() / 1000, steps: [] };
    open.set(key, turn);
    const oldest = open.entries().next().value;
    if (open.size > MOST_TURNS && oldest !== undefined) {
      open.delete(oldest[0]);
      write(oldest[1], {});
    }
    return turn;
  };

  const write = (turn: OpenTurn, end: Partial<End>): boolean => {
    const { final_kind, final_message } = end;
    const now = clock();
    try {
      append(folder, localDay(now), JSON.stringify({ ...turn, ts_end: now / 1000, final_kind, final_message }));
      return true;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      log(`A turn could not be written to ${folder}: ${cause}.`);
      return false;
    }
  };

  return {
    step: (report) => {
      const turn = turnOf(report);
      if (turn.steps.length >= MOST_STEPS) return false;
      if (report.intent !== undefined) turn.user_query ??= report.intent;
      turn.steps.push({
        step_num: report.step,
        chosen_tool: report.executor,
        result: { ok: report.ok },
        error: report.error ?? null,
        exec_ms: report.exec_ms,
        llm_latency_ms: report.llm_latency_ms,
        llm_in_tokens: report.llm_in_tokens,
        llm_out_tokens: report.llm_out_tokens,
      });
      return true;
    },
    end: (report) => {
      const turn = turnOf(report);
      open.delete(keyOf(report));
      return write(turn, report);
    },
    close: () => {
      for (const turn of open.values()) write(turn, {});
      open.clear();
    },
  };
}

/** One write, whole lines: another program appends to the same file. */
function append(folder: string, day: string, line: string): void {
  makeFolder(folder);
  const file = openSync(join(folder, `${day}.jsonl`), 'a+', 0o600);
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    // Behind a line that was torn by a crash, ours would be torn too.
    const isTorn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
    appendFileSync(file, `${isTorn ? '\n' : ''}${line}\n`);
  } finally {
    closeSync(file);
  }
}
