import { expect, test } from 'vitest';
import { refusalOf } from './refusal.logic.ts';

test.each([
  ['policy', 'policy:level', 'level'],
  ['policy', 'policy:rate', 'limit'],
  ['policy', 'policy:something-new', 'policy'],
  ['scope', 'scope:no-target', 'unknown'],
  ['vaglio', '(^|/)\\.ssh(/|$)', 'guard'],
  ['vaglio', 'judge:threshold', 'judge'],
  ['vaglio', 'judge:model', 'judge'],
  ['vaglio', 'guard:unreadable', 'guard'],
  ['vaglio', 'policy:error', 'error'],
  ['approval', 'approval:expired', 'timeout'],
  ['approval', 'constructor', 'approval'],
] as const)('%s, %s: %s', (stage, rule, expected) => {
  expect(refusalOf(stage, rule)).toBe(expected);
});
