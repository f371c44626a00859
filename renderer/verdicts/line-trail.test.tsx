import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { DecisionRow } from '../../shared/domain/decision.ts';
import { engineError, installFakeRpc } from '../test/fake-rpc.ts';
import { LineTrail } from './line-trail.tsx';
import { verdict } from './verdict.fixture.ts';

const decision: DecisionRow = {
  id: 7,
  at: 5000,
  channel: 'telegram',
  sender_id: 'roberto',
  executor: 'write_files',
  capability: 'fs:write',
  target: '~/a\u202eb',
  level: 'Supervised',
  decision: 'rejected',
  stage: 'approval',
  rule: 'approval:person',
  decided_by: 'person',
  stages: [
    { stage: 'policy', outcome: 'asked', rule: 'policy:table' },
    { stage: 'vaglio', outcome: 'passed', rule: 'vaglio:approved' },
    { stage: 'approval', outcome: 'ended', rule: 'approval:person' },
  ],
  verdict_ts: 5,
  grant_id: null,
  approval_token: '12e34',
  turn_id: null,
  step: null,
  error: null,
};

afterEach(cleanup);

function show(rows: () => DecisionRow[]) {
  const fake = installFakeRpc({ 'line.decisions': () => ({ rows: rows(), more: false, problem: null }) });
  render(<LineTrail row={verdict(5, { executor: 'write_files' })} ts={5} />);
  return fake;
}

test('a verdict of our line shows every stage that was reached, who decided, for whom and by which card', async () => {
  const fake = show(() => [decision]);
  expect((await screen.findByTestId('trail')).textContent).toBe('Refused by a person');
  expect(fake.inputsOf('line.decisions')).toEqual([{ verdict_ts: 5, limit: 10 }]);
  const stages = within(screen.getByRole('list', { name: 'The five stages' })).getAllByRole('listitem');
  expect(stages.map((each) => [each.dataset.stage, each.dataset.outcome])).toEqual([
    ['policy', 'asked'],
    ['vaglio', 'passed'],
    ['approval', 'ended'],
  ]);
  expect(screen.getByText('telegram / roberto')).toBeTruthy();
  expect(screen.getByText('RLO')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Look at it' }).getAttribute('href')).toBe(
    '#/approvals?view=decided&card=%2212e34%22',
  );
});

test('where the word does not say who decided, it is told', async () => {
  show(() => [{ ...decision, decision: 'allowed', decided_by: 'grant', grant_id: 4 }]);
  expect((await screen.findByTestId('trail')).textContent).toBe('Allowedby a grant');
  expect(screen.getByRole('link', { name: 'Grant 4' }).getAttribute('href')).toContain('#/grants?channel=telegram');
});

test('an answer of another executor at the same moment is none of this verdict', async () => {
  const fake = show(() => [{ ...decision, executor: 'read_files' }]);
  await expect.poll(() => fake.calls.length).toBe(1);
  await Promise.resolve();
  expect(screen.queryByRole('heading')).toBeNull();
});

test('answers that cannot be read are not taken for none', async () => {
  show(() => {
    throw engineError('locked', 'panel.db is in use.');
  });
  expect((await screen.findByRole('alert')).textContent).toContain('panel.db is in use.');
});
