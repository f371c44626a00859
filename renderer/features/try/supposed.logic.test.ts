import { expect, test } from 'vitest';
import { AS_IN_FORCE, readSupposed, supposesAnything } from './supposed.logic.ts';

test.each([
  ['', {}],
  ['0', { threshold: 0 }],
  ['1', { threshold: 1 }],
  [' 0.35 ', { threshold: 0.35 }],
  ['0,35', { threshold: 0.35 }],
  ['.5', { threshold: 0.5 }],
])('"%s" is read', (threshold, expected) => {
  expect(readSupposed({ level: 'now', threshold })).toEqual(expected);
});

test.each(['1.01', '-0.1', 'x', '0.3.4', '1e-1', 'Infinity'])('"%s" is no threshold', (threshold) => {
  expect(readSupposed({ level: 'Full', threshold })).toBeNull();
});

test('what is in force supposes nothing', () => {
  expect(supposesAnything(readSupposed(AS_IN_FORCE) ?? { level: 'Full' })).toBe(false);
  expect(supposesAnything({ level: 'ReadOnly' })).toBe(true);
  expect(supposesAnything({ threshold: 0 })).toBe(true);
});
