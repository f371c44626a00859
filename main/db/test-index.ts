import { dayStart } from '../audit/log-time.ts';
import { type AuditQueries, createAuditQueries } from './audit-queries.ts';
import { type AuditStore, type FileRecord, type NewVerdict, openAuditStore } from './audit-store.ts';
import type { WriteDb } from './open.ts';
import { openPanelDb } from './panel.ts';

/** For tests: an index in memory, or in a file, without a folder behind it. */
const NOW = Date.parse('2026-11-30T12:00:00Z');

export function newFile(name: string): Omit<FileRecord, 'id'> {
  return {
    name,
    inode: '1:1',
    size: 0,
    offset: 0,
    next_line: 1,
    lines: 0,
    verdicts: 0,
    events: 0,
    unreadable: 0,
    last_at: 0,
    last_seq: 0,
    text_seq: 0,
    head_length: 0,
    first_line_hash: '',
    tail_length: 0,
    tail_hash: '',
  };
}

/** A verdict's columns in one, as a test says them. */
export type FlatVerdict = Omit<NewVerdict, 'facts'> & NewVerdict['facts'];

export function newVerdict(over: Partial<FlatVerdict> = {}): NewVerdict {
  const { offset, length, at, ts_known, intent, ...facts }: FlatVerdict = {
    offset: 0,
    length: 1,
    at: NOW / 1000,
    ts_known: true,
    approved: true,
    score: 0.7,
    blocked_by: null,
    rule: null,
    executor: 'read_files',
    judge_kind: 'rule-based-v1',
    args_keys: [],
    context_keys: [],
    intent: '',
    reason: '',
    ...over,
  };
  return { offset, length, at, ts_known, intent, facts };
}

export interface SeededAudit {
  db: WriteDb;
  store: AuditStore;
  queries: AuditQueries;
  file: FileRecord;
  close(): void;
}

/** One file, 2026-11.jsonl, with these lines. */
export function seededAudit(
  lines: (Partial<FlatVerdict> & { ts?: number })[],
  path = ':memory:',
  unit = 3600,
): SeededAudit {
  const db = openPanelDb(path);
  const store = openAuditStore(db, path, { unit, now: NOW });
  const verdicts = lines.map(({ ts, ...line }, n) =>
    newVerdict({ ...line, offset: n, at: ts ?? line.at ?? NOW / 1000 }),
  );
  const file = { ...store.add(newFile('2026-11.jsonl')), offset: lines.length, verdicts: lines.length };
  const queries = createAuditQueries(db, { unit, dayStart });
  store.onCounted((counted) => queries.take(counted));
  store.append({ file, verdicts, events: [], faults: [] });
  store.finish();
  return { db, store, queries: queries, file, close: () => db.close() };
}
