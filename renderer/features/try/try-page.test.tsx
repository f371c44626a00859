import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DecideAnswer } from '../../../shared/domain/decision.ts';
import { type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { AS_IN_FORCE } from './supposed.logic.ts';
import { useTryDraft } from './try.store.ts';
import { TryPage } from './try-page.tsx';

const guarded: DecideAnswer = {
  decision: 'denied',
  stage: 'vaglio',
  rule: '(^|/)\\.ssh(/|$)',
  reason: "vaglio rifiuta: guard: forbidden path violato: pattern '(^|/)\\.ssh(/|$)' in args",
  error: null,
  decided_by: 'rule',
  trail: [
    {
      stage: 'policy',
      outcome: 'passed',
      rule: 'policy:table',
      reason: 'allowed at Full',
      ms: 0.01,
      matched: null,
      reached: true,
    },
    {
      stage: 'vaglio',
      outcome: 'ended',
      rule: '(^|/)\\.ssh(/|$)',
      reason: 'vaglio rifiuta',
      ms: 0.02,
      matched: { path: 'path', start: 1, end: 7, text: '/.ssh/' },
      reached: true,
    },
    {
      stage: 'approval',
      outcome: 'asked',
      rule: 'approval:asked',
      reason: '',
      ms: 0,
      matched: null,
      reached: false,
    },
  ],
  verdict: null,
  level: 'Full',
  needs_level: null,
  capability: 'fs:read',
  targets: ['~/.ssh/id'],
  refusal: { why: '', instead: '' },
};

beforeEach(() =>
  useTryDraft.setState({
    draft: { intent: '', executor: '', args: '{}', channel: 'telegram', sender_id: 'roberto', capability: '' },
    supposed: AS_IN_FORCE,
    lines: '',
    mode: 'one',
  }),
);
afterEach(cleanup);

function show(handlers: Handlers = {}) {
  const fake = installFakeRpc({ 'line.try': () => guarded, ...handlers });
  render(
    <TooltipProvider>
      <TryPage />
    </TooltipProvider>,
  );
  return fake;
}
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
const ask = () => fireEvent.click(screen.getByRole('button', { name: 'Ask the line' }));

test('asks the line as typed, and shows each stage with its rule and the matched text', async () => {
  const fake = show();
  type('Executor', 'read_files');
  type('Arguments, as JSON', '{"path": "~/.ssh/id"}');
  ask();
  const answer = await screen.findByTestId('answer');
  expect(fake.inputsOf('line.try')).toEqual([
    {
      request: {
        channel: 'telegram',
        sender_id: 'roberto',
        intent: '',
        executor: 'read_files',
        args: { path: '~/.ssh/id' },
      },
      supposed: {},
    },
  ]);
  expect(answer.dataset.decision).toBe('denied');
  expect(answer.textContent).toContain('Nothing was logged, kept, asked or run.');
  expect(screen.getByTestId('refusal').textContent).toContain('Your SSH keys');
  const match = screen.getByTestId('matched');
  expect(match.querySelector('mark')?.textContent).toBe('/.ssh/');
  expect(match.textContent).toContain('~/.ssh/id');
  const stages = within(answer).getAllByRole('listitem');
  expect(stages.map((each) => each.dataset.stage)).toEqual(['policy', 'vaglio', 'approval']);
  expect(stages[2]?.textContent).toContain('would say: Asks a person');
});

test('a fault in the arguments is told with its place and can be gone to; nothing is sent', async () => {
  const fake = show();
  type('Executor', 'read_files');
  type('Arguments, as JSON', '{\n  "a": 01\n}');
  ask();
  expect(await screen.findByText(/Line 2, column 8: this is no number/)).toBeTruthy();
  expect(fake.inputsOf('line.try')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Go there' }));
  const area = screen.getByRole('textbox', { name: 'Arguments, as JSON' }) as HTMLTextAreaElement;
  expect([area.selectionStart, area.selectionEnd]).toEqual([9, 10]);
});

test('an answer to an older form says so', async () => {
  show();
  type('Executor', 'read_files');
  ask();
  await screen.findByTestId('answer');
  expect(screen.queryByText(/The form was changed since/)).toBeNull();
  type('Intent', 'something else');
  expect(screen.getByText(/The form was changed since/)).toBeTruthy();
});

test('many calls: another threshold, and what differs', async () => {
  const row = { executor: 'read_files', stage: null, rule: null, reason: 'x', problem: null } as const;
  const fake = show({
    'line.tryMany': () => ({
      rows: [
        { ...row, line: 1, decision: 'allowed', supposed: 'allowed' },
        { ...row, line: 3, decision: 'allowed', supposed: 'denied' },
        { ...row, line: 4, executor: null, decision: null, supposed: null, problem: 'no JSON object' },
      ],
      total: 3,
      changed: 1,
      left_out: 0,
    }),
  });
  fireEvent.click(screen.getByRole('radio', { name: 'Many calls' }));
  type('Calls, one JSON object a line', '{}\n\n{}\nx');
  const compare = () => screen.getByRole('button', { name: 'Compare' }) as HTMLButtonElement;
  expect(compare().disabled).toBe(true);
  type('Threshold of the judge', '0,5');
  expect(compare().disabled).toBe(false);
  fireEvent.click(compare());
  expect(await screen.findByText('1 of 3 answered otherwise')).toBeTruthy();
  expect(fake.inputsOf('line.tryMany')).toEqual([{ text: '{}\n\n{}\nx', supposed: { threshold: 0.5 } }]);
  expect(document.querySelectorAll('[data-line]')).toHaveLength(3);
  fireEvent.click(screen.getByRole('checkbox'));
  await waitFor(() => expect(document.querySelectorAll('[data-line]')).toHaveLength(2));
  expect(document.querySelector('[data-line="4"]')?.textContent).toContain('no JSON object');
});
