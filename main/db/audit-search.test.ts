import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { matchesText } from '../../shared/lib/text-match.ts';
import type { VerdictFilter } from '../../shared/rpc/audit.ts';
import { indexSomeTexts, mergeSomeTexts } from './audit-text.ts';
import { type FlatVerdict, newFile, newVerdict, seededAudit } from './test-index.ts';

vi.setConfig({ testTimeout: 60_000 });

type Line = Pick<FlatVerdict, 'at' | 'intent' | 'executor' | 'approved' | 'blocked_by' | 'rule' | 'reason' | 'score'>;

const DAY = 86_400;
const START = Date.UTC(2026, 10, 1) / 1000;
const WORDS = ['fatture', 'fattura', 'città', 'CITTA', 'gita', 'shell', 'approved', 'x1', 'x12', 'perché'];
const line: fc.Arbitrary<Line> = fc.record({
  at: fc.integer({ min: 0, max: 40 }).map((n) => START + (n * DAY) / 4),
  intent: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }).map((words) => words.join(' ')),
  executor: fc.constantFrom('read_files', 'shell_exec'),
  approved: fc.boolean(),
  blocked_by: fc.constantFrom(null, 'guard', 'judge'),
  rule: fc.constantFrom(null, 'r1', 'r2'),
  reason: fc.constantFrom('approved: score', 'guard: gita', 'judge: città'),
  score: fc.constantFrom(null, 0, 0.25, 0.3, 1),
});
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const filter = fc.record({
  text: maybe(
    fc.constantFrom(
      'fatt',
      'citta',
      'gita',
      'x1',
      'shell',
      'approved',
      'fatt citta',
      'gita shell',
      'zzz',
      'x12 perche',
      '',
    ),
  ),
  executor: maybe(fc.constantFrom('read_files', 'shell_exec', 'none')),
  outcome: maybe(fc.constantFrom('approved' as const, 'denied' as const)),
  blocked_by: maybe(fc.constantFrom('guard', 'unknown')),
  rule: maybe(fc.constantFrom('r1', 'unknown')),
  min_score: maybe(fc.constantFrom(0, 0.3)),
  max_score: maybe(fc.constantFrom(0.3, 1)),
  from_ts: maybe(fc.constantFrom(START, START + 3 * DAY)),
  to_ts: maybe(fc.constantFrom(START + 6 * DAY, START + 99 * DAY)),
});

/** The slow and plain way. */
function belongs(row: Line, asked: VerdictFilter): boolean {
  const named = (value: string | null, name: string | undefined): boolean =>
    name === undefined || value === name || (name === 'unknown' && value === null && !row.approved);
  if (asked.outcome !== undefined && row.approved !== (asked.outcome === 'approved')) return false;
  if (asked.executor !== undefined && row.executor !== asked.executor) return false;
  if (!named(row.blocked_by, asked.blocked_by)) return false;
  if (asked.rule !== undefined && (row.approved || !named(row.rule, asked.rule))) return false;
  if (asked.min_score !== undefined && (row.score === null || row.score < asked.min_score)) return false;
  if (asked.max_score !== undefined) {
    if (row.score === null) return false;
    if (asked.max_score >= 1 ? row.score > asked.max_score : row.score >= asked.max_score) return false;
  }
  if (asked.from_ts !== undefined && row.at < asked.from_ts) return false;
  if (asked.to_ts !== undefined && row.at >= asked.to_ts) return false;
  return asked.text === undefined || matchesText(asked.text, [row.intent, row.reason, row.executor]);
}

describe('pages, however rows and filters come together', () => {
  test.each([
    ['as they come', false],
    ['with the texts put in later', true],
  ])('%s: each row that belongs, once, in order', (_how, later) => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.array(line, { maxLength: 20 }),
        fc.array(filter, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        (first, second, filters, limit) => {
          const { db, store, queries, file, close } = seededAudit(first.map((row) => ({ ...row })));
          // A second file, older by name, whose rows come later; and one that is taken out again.
          const other = { ...store.add(newFile('2026-10.jsonl')), offset: 1 };
          const verdicts = second.map((row, n) => newVerdict({ ...row, offset: 1000 + n }));
          store.append({ file: other, verdicts, events: [], faults: [], textsLater: later });
          const gone = { ...store.add(newFile('2026-09.jsonl')), offset: 1 };
          store.append({
            file: gone,
            verdicts: first.map((row) => newVerdict({ ...row, offset: 5000 })),
            events: [],
            faults: [],
          });
          store.remove(gone.id);
          if (later && filters.length % 2 === 0) {
            while (indexSomeTexts(db, 3) > 0) queries.forgetWords();
            while (store.purge());
            while (mergeSomeTexts(db));
          }
          const rows = [
            ...first.map((row, n) => ({ ...row, offset: n })),
            ...second.map((row, n) => ({ ...row, offset: 1000 + n })),
          ];
          rows.reverse();
          rows.sort((a, b) => b.at - a.at);
          for (const asked of filters) {
            const expected = rows.filter((row) => belongs(row, asked)).map(({ offset }) => offset);
            const found: number[] = [];
            for (let before: number | undefined, more = true; more; ) {
              const page = queries.page(asked, before, limit);
              found.push(...(page?.rows ?? []).map(({ offset }) => offset));
              before = page?.rows.at(-1)?.seq;
              more = page?.more ?? false;
            }
            expect(found, JSON.stringify(asked)).toEqual(expected);
          }
          expect(file.id).not.toBe(other.id);
          close();
        },
      ),
      { numRuns: 150 },
    );
  });

  test('text search is in few pieces again when nobody waits, however its rows came, and finds them all', () => {
    const { db, store, queries, file, close } = seededAudit([{ intent: 'one' }]);
    const pieces = db.prepare('SELECT count(DISTINCT segid) FROM log_text_idx').pluck();
    for (let n = 1; n <= 50; n++) {
      const verdicts = [newVerdict({ intent: `row number${n}`, offset: n })];
      store.append({ file: { ...file, offset: n + 1 }, verdicts, events: [], faults: [] });
    }
    expect(pieces.get()).toBeGreaterThan(40);
    while (mergeSomeTexts(db));
    expect(pieces.get()).toBeLessThan(8);
    expect(queries.page({ text: 'row' }, undefined, 100)?.rows).toHaveLength(50);
    expect(queries.page({ text: 'number7' }, undefined, 100)?.rows).toHaveLength(1);
    close();
  });

  test('a row that comes while the words are in memory is found by its own', () => {
    const { store, queries, file, close } = seededAudit([{ intent: 'one' }]);
    const found = (text: string): number | undefined => queries.page({ text }, undefined, 5)?.rows.length;
    expect(found('brandnew')).toBe(0);
    store.append({
      file: { ...file, offset: 2 },
      verdicts: [newVerdict({ intent: 'brandnewword', offset: 1 })],
      events: [],
      faults: [],
    });
    expect(found('brandnew')).toBe(1);
    close();
  });
});
