import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { IndexProgress, IndexState } from '../../shared/rpc/audit.ts';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { IndexLead } from './index-lead.tsx';

const index = (more: Partial<IndexState> = {}): IndexState => ({
  phase: 'following',
  files: 2,
  lines: 859,
  unreadable: 0,
  unreadable_at: [],
  events: 0,
  problem: null,
  detail: null,
  ...more,
});
const show = (state: IndexState) =>
  render(
    <TooltipProvider>
      <IndexLead index={state} />
    </TooltipProvider>,
  ).container.textContent;

afterEach(cleanup);

test('a backlog says how far it is, how fast, and how long it still takes', () => {
  const progress: IndexProgress = {
    stage: 'rows',
    files_done: 1,
    files: 4,
    bytes_done: 25,
    bytes: 100,
    lines_done: 250_000,
    lines_per_s: 199_999.6,
    seconds_left: 3.2,
  };
  expect(show(index({ phase: 'indexing', progress }))).toBe(
    'Reading the log: 250,000 lines so far200,000 lines/s, 4 s left',
  );
  expect(screen.getByRole('status')).toBeTruthy();
  cleanup();
  expect(show(index({ progress: { ...progress, stage: 'text', seconds_left: null } }))).toContain(
    'Making the log searchable: 250,000 lines so far200,000 lines/sFollowing 2 log files',
  );
});

test('without a backlog it says what it follows', () => {
  expect(show(index())).toBe('Following 2 log files, 859 lines read');
});
