import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFastLines, type FastLines } from './fast-lines.ts';
import { parseLine } from './parse-line.ts';

/** As the indexer calls it: a character for each byte, with other lines around. */
function read(fast: FastLines, line: string): ReturnType<FastLines['read']> {
  const around = Buffer.from(`{"x": 1}\n${line}\n{"approved": true, "reason": "r", "ts": 5, "intent": "y"}\n`);
  const bytes = Buffer.byteLength(line);
  return fast.read(around.toString('latin1'), 9, 9 + bytes, (from, to) => around.toString('utf8', from, to));
}

/** What it answers has to be what the one reader answers. @returns whether it answered */
function check(fast: FastLines, line: string): boolean {
  const found = read(fast, line);
  if (found === null) return false;
  const parsed = parseLine(line);
  const { memo: _, ...facts } = found.facts;
  expect({ kind: 'verdict', verdict: { ...facts, ts: found.ts, intent: found.intent } }, line).toEqual(parsed);
  return true;
}

const asPython = (value: object): string => JSON.stringify(value).replaceAll('":', '": ').replaceAll(',"', ', "');
const usual = (over: object = {}): string =>
  asPython({
    approved: true,
    reason: 'approved: score 0.70 (score base)',
    ts: 1793493754.759058,
    judge_kind: 'rule-based-v1',
    score: 0.7,
    blocked_by: null,
    intent: 'scarica le foto',
    executor: 'read_files',
    args_keys: ['path'],
    context_keys: ['mode', 'step'],
    ...over,
  });

describe('lines read by what stands around time and intent', () => {
  test('the usual line is, and a second one with another time and intent', () => {
    const fast = createFastLines();
    expect(check(fast, usual())).toBe(true);
    expect(check(fast, usual({ ts: 1793493755.5, intent: 'perché no? 日本 “x”' }))).toBe(true);
    expect(check(fast, usual({ intent: 'x'.repeat(1500) }))).toBe(true);
    expect(check(fast, usual({ intent: '', ts: 7 }))).toBe(true);
  });

  test.each([
    ['an escape in the intent', usual({ intent: 'a "b"' })],
    ['a control character', usual().replace('scarica', 'sca\u0001rica')],
    ['a time that is no plain number', usual().replace('1793493754.759058', '1e400')],
    ['NaN for a time', usual().replace('1793493754.759058', 'NaN')],
    ['a time with a leading zero', usual().replace('1793493754.759058', '017')],
    ['a time that ends in a point', usual().replace('1793493754.759058', '17.')],
    ['time and intent in an inner object', `{"approved": true, "in": {"a": 1, "ts": 5, "intent": "inner"}, "x": 1}`],
    ['a time that comes twice', usual().replace('"judge_kind"', '"ts": 9, "judge_kind"')],
    ['an intent that comes twice', usual().replace('"executor"', '"intent": "second", "executor"')],
    ['no intent', usual().replace(', "intent": "scarica le foto"', '')],
    ['an event', '{"kind": "x", "ts": 5, "intent": "y", "z": 1}'],
    ['a torn line', usual().slice(0, 180)],
    ['the markers inside of a text', usual({ reason: ', "ts": 1, "intent": "z"' })],
    ['empty', ''],
  ])('%s: left to the reader, or read as it reads', (_what, line) => {
    const fast = createFastLines();
    check(fast, line);
    check(fast, line);
  });

  test('whatever stands in a line, in whatever order, with whatever is damaged: the same row', () => {
    const fast = createFastLines();
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('", "ts": 5, "', ', "intent": "', '\\', '"', '}', '{', '…', '\u2028'),
    );
    const few = <T>(value: fc.Arbitrary<T>, ...usualOnes: T[]): fc.Arbitrary<T> =>
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usualOnes) }, { weight: 1, arbitrary: value });
    const line = fc
      .record(
        {
          approved: few(fc.jsonValue() as fc.Arbitrary<unknown>, true, false),
          reason: few(text, 'approved: x', "guard: forbidden path violato: pattern '\\\\.ssh' in args"),
          extra: few(fc.jsonValue() as fc.Arbitrary<unknown>, 1, { a: 1, ts: 5, intent: 'inner', b: 2 }),
          ts: few(
            fc.oneof(fc.double(), fc.integer(), fc.string()) as fc.Arbitrary<unknown>,
            1793493754.759058,
            1793493755,
          ),
          judge_kind: few(text, 'rule-based-v1'),
          score: few(fc.double() as fc.Arbitrary<unknown>, 0.7),
          blocked_by: few(fc.jsonValue() as fc.Arbitrary<unknown>, null, 'guard'),
          intent: few(text, 'scarica le foto', 'perché'),
          executor: few(text, 'read_files'),
          args_keys: few(fc.jsonValue() as fc.Arbitrary<unknown>, ['path']),
          context_keys: few(fc.jsonValue() as fc.Arbitrary<unknown>, ['mode']),
        },
        { requiredKeys: ['approved', 'ts', 'intent'] },
      )
      .map(asPython);
    const damaged = fc
      .tuple(line, fc.nat(400), fc.constantFrom('', '"', ',', '\\', '0', ', "ts": 4, '))
      .map(([one, at, put]) => one.slice(0, at) + put + one.slice(at + 1));
    let answered = 0;
    fc.assert(
      fc.property(fc.oneof(line, damaged), (one) => {
        // What a line cannot hold: the log is cut at line feeds.
        if (!one.includes('\n') && one.isWellFormed() && check(fast, one)) answered++;
      }),
      { numRuns: 4000 },
    );
    expect(answered).toBeGreaterThan(200);
  });

  test('bytes that are no UTF-8 are read as the reader reads them', () => {
    const fast = createFastLines();
    const line = usual({ intent: 'caff@ nero' });
    for (const byte of [0xe8, 0xff, 0xc3, 0x80]) {
      const bytes = Buffer.from(line);
      bytes[bytes.indexOf('@')] = byte;
      const found = fast.read(bytes.toString('latin1'), 0, bytes.length, (from, to) =>
        bytes.toString('utf8', from, to),
      );
      const parsed = parseLine(bytes.toString('utf8'));
      expect(parsed.kind === 'verdict' && parsed.verdict.intent).toBe(found?.intent);
    }
  });

  test('more kinds of lines than are remembered: right all the same', () => {
    const fast = createFastLines();
    for (let n = 0; n < 25_000; n++)
      if (n % 100 === 0 || n > 24_900) check(fast, usual({ reason: `r ${n}` }));
      else read(fast, usual({ reason: `r ${n}` }));
    expect(check(fast, usual({ reason: 'r 1' }))).toBe(true);
  });
});
