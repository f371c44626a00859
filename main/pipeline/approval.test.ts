import { expect, test } from 'vitest';
import type { DecideRequest } from '../../shared/domain/decision.ts';
import { approvedBy, surroundings } from './line.stand-in.ts';
import { createLine } from './line.ts';

const request: DecideRequest = {
  channel: 'c',
  sender_id: 's',
  intent: 'read it',
  executor: 'read_files',
  args: { path: '~/a' },
};

function withGrant(marks: readonly string[]) {
  const made = surroundings({ evaluate: () => ({ ...approvedBy(), marks }) });
  const decide = made.decide;
  made.decide = (asked) => ({ ...decide(asked), outcome: 'allowed', grant_id: 7 });
  return createLine(made);
}

test('a grant does not cover silently what the guard has marked [security]', async () => {
  const answer = await withGrant(['shell.too-much']).decide(request);
  expect(answer).toMatchObject({ decision: 'approval_required', stage: 'approval' });
  expect(answer.grant_id).toBeUndefined();
});

test('a grant covers what nothing marks', async () => {
  expect(await withGrant([]).decide(request)).toMatchObject({ decision: 'allowed', grant_id: 7 });
});
