import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault, placeOf } from './json-fault.logic.ts';

test.each([
  ['', 0, 'empty'],
  ['  \n ', 4, 'empty'],
  ['{', 1, 'key'],
  ['{"a" 1}', 5, 'colon'],
  ['{"a": }', 6, 'value'],
  ['{"a": 1 "b": 2}', 8, 'comma-or-end'],
  ['{"a": 1,}', 8, 'key'],
  ['{a: 1}', 1, 'key'],
  ["{'a': 1}", 1, 'key'],
  ['[1, 2', 5, 'comma-or-end'],
  ['[1,,2]', 3, 'value'],
  ['"abc', 0, 'string'],
  ['"a\nb"', 2, 'control'],
  ['"a\\x"', 2, 'escape'],
  ['"a\\u12"', 2, 'escape'],
  ['01', 0, 'number'],
  ['1.', 0, 'number'],
  ['-', 0, 'number'],
  ['.5', 0, 'value'],
  ['{} {}', 3, 'trailing'],
  ['True', 0, 'value'],
  ['nul', 0, 'value'],
  ['{"a": 1, "a": 2}', 9, 'duplicate'],
  ['{"a": 1, "\\u0061": 2}', 9, 'duplicate'],
  [`${'['.repeat(501)}`, 500, 'deep'],
])('%j has a fault at %i: %s', (text, at, why) => {
  expect(findJsonFault(text)).toEqual({ at, why });
});

test.each(['{}', '[]', ' {"a": [1, -0.5e+3, "x\\n\\u20ac", true, false, null, {}]} ', '"x"', '0', '{"__proto__": 1}'])(
  '%j has none',
  (text) => {
    expect(findJsonFault(text)).toBeNull();
  },
);

test('any JSON there is has none', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // Generated objects have each key once.
      expect(findJsonFault(text)).toBeNull();
    }),
  );
});

test('agrees with the parser on damaged texts', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', '"', '\\', '1', ' ', 'x', ':'),
      (text, where, put) => {
        const at = where % (text.length + 1);
        const damaged = text.slice(0, at) + put + text.slice(at + 1);
        const found = findJsonFault(damaged);
        if (found?.why === 'duplicate') return;
        let parses = true;
        try {
          JSON.parse(damaged);
        } catch {
          parses = false;
        }
        expect(found === null).toBe(parses);
      },
    ),
  );
});

test('says line and column as a person counts them', () => {
  expect(placeOf('{\n  "a": x\n}', 9)).toEqual({ line: 2, column: 8, excerpt: '  "a": x', caret: 7 });
  expect(placeOf('"😀" x', 5)).toMatchObject({ line: 1, column: 5 });
  const long = `{"a": "${'y'.repeat(100)}" x}`;
  const place = placeOf(long, 109);
  expect(place.excerpt[place.caret]).toBe('x');
});
