import { chmodSync, copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { casesFolder, makeTestLog, type TestLog } from './test-log.ts';

vi.setConfig({ testTimeout: 30_000 });

/** Faults that real logs have; for each file the rows that are right, and why. */
interface Expected {
  lines: number;
  rows: number;
  events: number;
  /** `line why` of what is no row, newest first. */
  faults: string[];
}

const EXPECTED: Record<string, Expected> = {
  // Six rows with blank lines between and behind: a blank line is nothing.
  'blank-lines.jsonl': { lines: 6, rows: 6, events: 0, faults: [] },
  // A byte order mark before the first row, CR before each newline: neither belongs to the row.
  'bom-crlf.jsonl': { lines: 7, rows: 7, events: 0, faults: [] },
  // Times that jump back: every row counts, pages are in order of time.
  'clock-back.jsonl': { lines: 20, rows: 20, events: 0, faults: [] },
  'empty.jsonl': { lines: 0, rows: 0, events: 0, faults: [] },
  // Seven lines, two whole objects on the fourth: eight calls were judged, so eight rows.
  'glued.jsonl': { lines: 7, rows: 8, events: 0, faults: [] },
  // Raw control bytes and broken UTF-8 inside a text that no JSON reader takes: eight rows and one fault.
  'invalid-utf8.jsonl': { lines: 9, rows: 8, events: 0, faults: ['5 invalid-json'] },
  // An intent of a megabyte is a row as any other; the index keeps its beginning.
  'long-line.jsonl': { lines: 5, rows: 5, events: 0, faults: [] },
  // Six rows and 4096 NUL bytes that a crash left: told, not waited for.
  'nul-tail.jsonl': { lines: 7, rows: 6, events: 0, faults: ['7 nul-bytes'] },
  // Six sound verdicts; three with wrong types, NaN or a time beyond all numbers, which are verdicts all the same;
  // an event with a kind, an object without one; four JSON texts that are no objects.
  'other-kinds.jsonl': {
    lines: 15,
    rows: 9,
    events: 2,
    faults: ['9 not-object', '8 not-object', '7 not-object', '6 not-object'],
  },
  'torn-middle.jsonl': { lines: 12, rows: 11, events: 0, faults: ['6 invalid-json'] },
  // The last line has no newline yet: its writer may still be at it.
  'torn-tail.jsonl': { lines: 10, rows: 10, events: 0, faults: [] },
};

const folder = casesFolder('dirty-logs');

describe.skipIf(folder === null)('logs with faults', () => {
  const source = folder ?? '';
  let log: TestLog;
  beforeEach(() => {
    log = makeTestLog();
  });
  afterEach(() => log.end());

  const load = (name: string): void => {
    copyFileSync(join(source, name), log.file('2026-11.jsonl'));
    chmodSync(log.file('2026-11.jsonl'), 0o600);
  };

  test('every file of the folder has its answer here', () => {
    expect(readdirSync(source).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  test.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    load(name);
    const audit = log.start();
    await log.settled(audit, expected.lines);
    const state = audit.state();
    const rows = await log.rows(audit);
    const stats = await audit.stats({ range: '2026-11' });
    expect({
      lines: state.lines,
      rows: rows.length,
      events: state.events,
      faults: state.unreadable_at.map(({ line, why }) => `${line} ${why}`),
    }).toEqual(expected);
    expect(state.unreadable).toBe(expected.faults.length);
    expect(state.problem).toBeNull();
    expect(stats.total).toBe(expected.rows);
    for (const row of rows) expect((await audit.raw({ seq: row.seq })).problem).toBeNull();
  });

  test('clock-back.jsonl: newest first by time', async () => {
    load('clock-back.jsonl');
    const audit = log.start();
    await log.settled(audit, 20);
    const times = (await log.rows(audit)).map(({ ts }) => ts ?? 0);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(times[0]).toBe(1796000018);
  });

  test('other-kinds.jsonl: nothing but a literal true is approved; what a line lacks is null', async () => {
    load('other-kinds.jsonl');
    const audit = log.start();
    await log.settled(audit, 15);
    const rows = (await log.rows(audit)).sort((a, b) => a.offset - b.offset);
    expect(rows[3]).toMatchObject({ approved: false, ts: null, reason: '', executor: '' });
    expect(rows[4]).toMatchObject({ approved: true, ts: null, score: null, reason: 'x', executor: 'y' });
    expect(rows[5]).toMatchObject({ approved: true, ts: null, score: 7, blocked_by: 'moon', args_keys: [] });
    expect((await audit.stats({ range: 'all' })).events).toEqual({ cross_user_send_blocked: 1, unknown: 1 });
  });

  test('torn-tail.jsonl: the row is there once its writer has finished it', async () => {
    load('torn-tail.jsonl');
    const audit = log.start();
    await log.settled(audit, 10);
    log.append('2026-11.jsonl', '00.5, "executor": "late"}\n');
    await log.settled(audit, 11);
    expect((await log.rows(audit)).some(({ executor }) => executor === 'late')).toBe(true);
    expect(audit.state().unreadable).toBe(0);
  });

  test('nul-tail.jsonl: what is written behind the NULs is a row', async () => {
    load('nul-tail.jsonl');
    const audit = log.start();
    await log.settled(audit, 7);
    log.append('2026-11.jsonl', { approved: true, executor: 'after the crash' });
    await log.settled(audit, 8);
    expect((await log.rows(audit)).some(({ executor }) => executor === 'after the crash')).toBe(true);
  });
});
