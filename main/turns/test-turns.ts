import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { DecisionRow } from '../../shared/domain/decision.ts';
import type { TurnRow } from '../../shared/domain/turn.ts';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import { openPanelDb } from '../db/panel.ts';
import { sampleIndex } from '../rpc/services.stand-in.ts';
import { createTurnsService, type Turns } from './turns.ts';

/** For tests: a temporary turn log and panel.db with a turns service over them. */
export const NOW = Date.parse('2026-11-30T12:00:00Z');

export interface TestTurns {
  folder: string;
  panelDb: string;
  /** What the audit index says; oldest first. */
  verdicts: VerdictRow[];
  append(name: string, ...lines: (object | string)[]): void;
  decide(row: Partial<DecisionRow>): void;
  start(options?: { worker?: URL; transcripts?: () => string | null }): Turns;
  /** Waits until the service follows and lists so many turns. */
  settled(turns: Turns, count: number): Promise<TurnRow[]>;
  end(): Promise<void>;
}

export function makeTestTurns(): TestTurns {
  const root = mkdtempSync(join(tmpdir(), 'turns-'));
  const folder = join(root, 'data', 'turns');
  const panelDb = join(root, 'state', 'panel.db');
  const started: Turns[] = [];
  const verdicts: VerdictRow[] = [];
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    panelDb,
    verdicts,
    append(name, ...lines) {
      const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
      appendFileSync(join(folder, name), text);
    },
    decide(row) {
      const db = openPanelDb(panelDb);
      const full = { ...decision, ...row };
      db.prepare(
        `INSERT INTO decisions (at, channel, sender_id, executor, capability, target, level, decision, stage, rule,
         decided_by, stages, verdict_ts, grant_id, approval_token, turn_id, step, error) VALUES (@at, @channel,
         @sender_id, @executor, @capability, @target, @level, @decision, @stage, @rule, @decided_by, @stages,
         @verdict_ts, @grant_id, @approval_token, @turn_id, @step, @error)`,
      ).run({ ...full, stages: JSON.stringify(full.stages) });
      db.close();
    },
    start(options = {}) {
      const page: Parameters<typeof createTurnsService>[0]['audit']['page'] = ({ filter }) => ({
        rows: verdicts
          .filter(({ ts }) => ts !== null && ts >= (filter?.from_ts ?? 0) && ts < (filter?.to_ts ?? Infinity))
          .reverse(),
        more: false,
        index: sampleIndex,
      });
      const base = { paths: { turnLog: folder, panelDb }, audit: { page }, clock: () => NOW };
      const turns = createTurnsService({ ...base, ...options });
      started.push(turns);
      return turns;
    },
    async settled(turns, count) {
      return vi.waitFor(
        async () => {
          const { rows, state } = await turns.page({ limit: 500 });
          if (state.phase !== 'following' || state.turns !== count) {
            throw new Error(`still ${state.phase}, ${state.turns} turns of ${count}`);
          }
          return rows;
        },
        { timeout: 15_000, interval: 5 },
      );
    },
    async end() {
      await Promise.all(started.map((turns) => turns.close()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A step as the original logs it. */
export function step(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    step_num: 1,
    llm_text: '',
    llm_in_tokens: 1500,
    llm_out_tokens: 120,
    llm_latency_ms: 1800,
    chosen_tool: 'read_files',
    raw_args: { path: '~/notes.md' },
    resolved_args: { path: '/home/anna/notes.md' },
    validation_failures: [],
    scope_violation: null,
    vaglio_approved: true,
    result: { ok: true },
    error: null,
    intent_ms: 12,
    vaglio_ms: 0,
    exec_ms: 341,
    seed_step: false,
    ...over,
  };
}

export function refused(over: Record<string, unknown> = {}): Record<string, unknown> {
  const error = "vaglio rifiuta: guard: forbidden path violato: pattern '(^|/)\\\\.ssh(/|$)' in args";
  return step({ vaglio_approved: false, error, result: { ok: false, error }, exec_ms: null, ...over });
}

/** A turn as the original logs it. */
export function turn(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ts_start: NOW / 1000 - 60,
    ts_end: NOW / 1000 - 50,
    user_query: 'read my notes',
    turn_id: 't1',
    mode: 'supervised',
    candidates: [],
    steps: [step()],
    final_message: 'Done.',
    final_kind: 'answer',
    actor: 'host',
    owner_user_id: 'host',
    channel: 'cli',
    conversation_id: 'c1',
    ...over,
  };
}

/** A kept answer that let its step pass. */
export const decision: Omit<DecisionRow, 'id'> = {
  at: NOW - 30_000,
  channel: 'cli',
  sender_id: 'anna',
  executor: 'read_files',
  capability: 'fs:read',
  target: '/home/anna/notes.md',
  level: 'Supervised',
  decision: 'allowed',
  stage: 'vaglio',
  rule: 'judge:threshold',
  decided_by: 'table',
  stages: [
    { stage: 'validation', outcome: 'skipped', rule: 'validation:none' },
    { stage: 'scope', outcome: 'passed', rule: 'scope:inside' },
    { stage: 'policy', outcome: 'passed', rule: 'policy:level' },
    { stage: 'vaglio', outcome: 'passed', rule: 'judge:threshold' },
    { stage: 'approval', outcome: 'skipped', rule: 'approval:none' },
  ],
  verdict_ts: NOW / 1000 - 30.0005,
  grant_id: null,
  approval_token: null,
  turn_id: 'own1',
  step: 1,
  error: null,
};

export function verdictRow(seq: number, over: Partial<VerdictRow> = {}): VerdictRow {
  return {
    seq,
    ts: NOW / 1000 - 55,
    approved: true,
    reason: 'approved: score 0.70 (score base)',
    judge_kind: 'rule-based-v1',
    score: 0.7,
    blocked_by: null,
    intent: 'read my notes',
    executor: 'read_files',
    args_keys: ['path'],
    context_keys: [],
    rule: null,
    file: '2026-11.jsonl',
    offset: 0,
    ...over,
  };
}
