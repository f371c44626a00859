import { expect, test } from 'vitest';
import { retentionChoices } from './retention.logic.ts';

test.each([
  [30, [0, 7, 30, 90, 365]],
  [45, [0, 7, 30, 45, 90, 365]],
  [0, [0, 7, 30, 90, 365]],
  [1000, [0, 7, 30, 90, 365, 1000]],
])('with %i days in force there are %j', (inForce, choices) => {
  expect(retentionChoices(inForce)).toEqual(choices);
});
