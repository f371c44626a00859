import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson } from './exact-json.ts';
import { PyFloat } from './python-values.ts';

test('what JSON.parse reads without loss is read the same', () => {
  const lossless = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.constant(null),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((x) => !Number.isInteger(x)),
      fc.array(tie('value')),
      fc.dictionary(
        fc.oneof(fc.constant('__proto__'), fc.string()).filter((key) => !/^\d+$/.test(key)),
        tie('value'),
        { noNullPrototype: true },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(lossless, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('and so is what it refuses', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '-',
    '.5',
    'e3',
    'true',
    'nul',
    '\\',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      if (valid) expect(() => parseExactJson(text)).not.toThrow();
      else expect(() => parseExactJson(text)).toThrow(SyntaxError);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  '',
  ' ',
  '01',
  '1.',
  '.5',
  '+1',
  '1e',
  '"\t"',
  '"\\x"',
  '"\\',
  '"a',
  '[1,]',
  '{"a":1,}',
  '{a:1}',
  'NaN',
  'truex',
  '1 2',
  '\ufeff1',
  `1${'0'.repeat(4300)}`,
])('%j is refused', (text) => expect(() => parseExactJson(text)).toThrow(/^invalid JSON at character \d+$/));

test('keys that look like numbers keep their place: the object becomes a Map', () => {
  const read = parseExactJson('{"b": 1, "10": 2, "a": {"x": 1}, "2": 3, "b": 4}');
  expect([...(read as Map<string, unknown>)]).toEqual([
    ['b', 4],
    ['10', 2],
    ['a', { x: 1 }],
    ['2', 3],
  ]);
  expect(Object.keys(parseExactJson('{"b": 1, "010": 2, "4294967295": 3, "-1": 4}') as object)).toEqual([
    'b',
    '010',
    '4294967295',
    '-1',
  ]);
});

test('an object of many keys becomes a Map, at any depth, in its order and with the last value of a key', () => {
  const pairs = Array.from({ length: 3000 }, (_, i): [string, unknown] => [`k${i}`, i]);
  const text = JSON.stringify(Object.fromEntries([...pairs, ['__proto__x', 'y']]));
  const again = `${text.slice(0, -1)},"k5":"again","__proto__":"own"}`;
  const expected = new Map([...pairs, ['__proto__x', 'y'], ['k5', 'again'], ['__proto__', 'own']]);
  expect([...(parseExactJson(again) as Map<string, unknown>)]).toEqual([...expected]);
  expect(parseExactJson(`{"a": [${again}]}`)).toEqual({ a: [expected] });
  expect(parseExactJson('{"a": 1}')).toEqual({ a: 1 });
});

test('numbers keep what the original sees: a float is a float, a large whole number has all its digits', () => {
  expect(parseExactJson('[777.0, 1e3, 777, 1.5, -0, 12345678901234567890, -9007199254740993]')).toEqual([
    new PyFloat(777),
    new PyFloat(1000),
    777,
    1.5,
    0,
    12345678901234567890n,
    -9007199254740993n,
  ]);
});

test('__proto__ is a key like others, and a million levels are read', () => {
  const read = parseExactJson('{"__proto__": {"x": 1}, "y": 2}') as object;
  expect(Object.entries(read)).toEqual([
    ['__proto__', { x: 1 }],
    ['y', 2],
  ]);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  let depth = 0;
  for (let at = parseExactJson(`${'['.repeat(1e6)}${']'.repeat(1e6)}`); Array.isArray(at); at = at[0]) depth++;
  expect(depth).toBe(1e6);
});
