import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import type { LiveEvent } from '../../shared/rpc/audit.ts';
import { type Audit, createAuditService } from './audit.ts';

/** For tests: a temporary log folder with an audit service over it. */
export const NOW = Date.parse('2026-11-30T12:00:00Z');

export interface TestLog {
  root: string;
  folder: string;
  panelDb: string;
  file(name: string): string;
  append(name: string, ...lines: (object | string)[]): void;
  start(options?: { worker?: URL; now?: number }): Audit;
  /** Waits until the service follows and has seen so many lines. */
  settled(audit: Audit, lines: number): Promise<void>;
  rows(audit: Audit): Promise<VerdictRow[]>;
  end(): Promise<void>;
}

export function makeTestLog(options: { folder?: boolean } = {}): TestLog {
  const root = mkdtempSync(join(tmpdir(), 'audit-'));
  const folder = join(root, 'data', 'vaglio');
  const panelDb = join(root, 'state', 'panel.db');
  const started: Audit[] = [];
  if (options.folder !== false) mkdirSync(folder, { recursive: true });
  return {
    root,
    folder,
    panelDb,
    file: (name) => join(folder, name),
    append(name, ...lines) {
      const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
      appendFileSync(join(folder, name), text);
    },
    start({ worker, now = NOW } = {}) {
      const paths = {
        verdictLog: folder,
        panelDb,
        grantsDb: join(root, 'state', 'grants.db'),
        approvalsDb: join(root, 'state', 'approvals.db'),
        auditHead: join(root, 'state', 'audit-head.json'),
      };
      const base = { paths, clock: () => now, threshold: 0.3 };
      const audit = createAuditService(worker === undefined ? base : { ...base, worker });
      started.push(audit);
      return audit;
    },
    async settled(audit, lines) {
      await waitUntil(() => {
        const { phase, lines: seen } = audit.state();
        return (phase === 'following' && seen === lines) || `${phase}, ${seen} lines of ${lines}`;
      });
    },
    async rows(audit) {
      const { rows } = await audit.page({ limit: 500 });
      return rows;
    },
    async end() {
      await Promise.all(started.map((audit) => audit.close()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** @param check true when done, otherwise what it still waits for */
export function waitUntil(check: () => true | string): Promise<void> {
  return vi.waitFor(
    () => {
      const answer = check();
      if (answer !== true) throw new Error(`still ${answer}`);
    },
    { timeout: 60_000, interval: 5 },
  );
}

/** A verdict as the original logs it, and as ours does. */
export function verdict(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    approved: true,
    reason: 'approved: score 0.70 (score base)',
    ts: NOW / 1000 - 60,
    judge_kind: 'rule-based-v1',
    score: 0.7,
    blocked_by: null,
    intent: 'read the notes',
    executor: 'read_files',
    args_keys: ['path'],
    context_keys: ['mode'],
    ...over,
  };
}

export function guardBlock(pattern: string, over: Record<string, unknown> = {}): Record<string, unknown> {
  const reason = `guard: forbidden path violato: pattern '${pattern}' in args`;
  return verdict({ approved: false, reason, score: 0, blocked_by: 'guard', ...over });
}

/** Reads a live stream until `stop`; what came is in `events`. */
export function listen(
  audit: Audit,
  after?: number,
): { events: LiveEvent[]; rows(): VerdictRow[]; stop(): Promise<void> } {
  const abort = new AbortController();
  const events: LiveEvent[] = [];
  const ended = (async () => {
    for await (const event of audit.live(after === undefined ? {} : { after }, abort.signal)) events.push(event);
  })();
  return {
    events,
    rows: () => events.flatMap(({ rows }) => rows),
    stop() {
      abort.abort();
      return ended;
    },
  };
}

/** The folder of shared cases, or null with a printed line where it is not there. */
export function casesFolder(part: string): string | null {
  const root = process.env.VAGLIO_CASES ?? fileURLToPath(new URL('../../../shared/cases', import.meta.url));
  const folder = join(root, part);
  if (existsSync(folder)) return folder;
  console.log(`skipped: cases folder not found (${folder})`);
  return null;
}
