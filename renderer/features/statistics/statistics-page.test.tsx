import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Stats, StatsRange } from '../../../shared/rpc/audit.ts';
import { engineError, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { StatisticsPage } from './statistics-page.tsx';

function stats(more: Partial<Stats> = {}): Stats {
  return {
    range: '30d',
    total: 10,
    approved: 6,
    denied: 4,
    blocked_by: { guard: 3, judge: 1 },
    events: {},
    over_time: { step: 'day', buckets: [{ start: 1_793_491_200, approved: 6, guard: 3, judge: 1, other: 0 }] },
    by_executor: [{ executor: 'shell_exec', total: 10, approved: 6, guard: 3, judge: 1, other: 0 }],
    by_rule: [{ rule: '(^|/)\\.ssh(/|$)', blocked_by: 'guard', count: 3 }],
    scores: { bins: Array.from({ length: 20 }, () => 0), threshold: 0.3 },
    months: ['2026-11', '2026-10'],
    index: {
      phase: 'following',
      files: 1,
      lines: 10,
      unreadable: 0,
      unreadable_at: [],
      events: 0,
      problem: null,
      detail: null,
    },
    ...more,
  };
}

function open(answer: (range: StatsRange) => Stats) {
  const fake = installFakeRpc({ 'audit.stats': ({ range }: { range: StatsRange }) => answer(range) });
  render(
    <TooltipProvider>
      <StatisticsPage />
    </TooltipProvider>,
  );
  return fake;
}

const tile = (key: string) => document.querySelector(`[data-tile="${key}"]`) as HTMLElement;

afterEach(cleanup);

test('the figures, each a link to the rows that it counts', async () => {
  open(() => stats());
  await screen.findByText('By rule');
  expect(['total', 'approved', 'guard', 'judge', 'unreadable'].map((key) => tile(key).dataset.value)).toEqual([
    '10',
    '6',
    '3',
    '1',
    '0',
  ]);
  const link = within(tile('guard')).getByRole('link', { name: '3' });
  expect(link.getAttribute('href')).toMatch(/^#\/audit\?phase=guard&from=\d+$/);
});

test('a rule is explained in words, and an unknown one is not made up', async () => {
  open(() =>
    stats({
      by_rule: [
        { rule: '(^|/)\\.ssh(/|$)', blocked_by: 'guard', count: 3 },
        { rule: 'constructor', blocked_by: 'guard', count: 1 },
        { rule: 'unknown', blocked_by: 'scope', count: 1 },
      ],
    }),
  );
  await screen.findByText('Your SSH keys and the hosts you trust.');
  expect(screen.getByText('A rule that this version does not know.')).toBeDefined();
  expect(screen.getByText('The log names no rule.')).toBeDefined();
});

test('another range is asked for, and a row that arrives has the figures counted again', async () => {
  let total = 10;
  const fake = open((range) => stats({ range, total }));
  await screen.findByText('By rule');
  fireEvent.click(screen.getByRole('radio', { name: '24 h' }));
  await screen.findByText('By rule');
  expect(fake.inputsOf('audit.stats')).toEqual([{ range: '30d' }, { range: '24h' }]);
  total = 11;
  act(() => fake.emit('audit.live', { rows: [], index: stats().index }));
  await screen.findByText('11');
});

test('behind a chart stands its table', async () => {
  open(() => stats());
  const card = (await screen.findByText('By executor')).closest('section') as HTMLElement;
  fireEvent.click(within(card).getByRole('radio', { name: 'Table' }));
  const table = within(card).getByRole('table', { name: 'By executor' });
  expect(within(table).getByText('shell_exec')).toBeDefined();
  expect(
    within(table)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['10', '6', '3', '1']);
});

test('no rows, a missing folder and an index at work each say so', async () => {
  const none = { total: 0, approved: 0, denied: 0, blocked_by: {}, by_rule: [], by_executor: [], months: [] };
  open(() => stats({ ...none, index: { ...stats().index, problem: 'missing', detail: '/home/u/vaglio' } }));
  await screen.findByText('The folder of the verdict log does not exist yet');
  expect(screen.getByText('/home/u/vaglio')).toBeDefined();
  expect(screen.getByText('No verdicts yet')).toBeDefined();
  cleanup();

  open(() => stats({ index: { ...stats().index, phase: 'indexing', lines: 12_345 } }));
  await screen.findByText(/12,345 lines so far/);
});

test('figures that cannot be had say what went wrong', async () => {
  open(() => {
    throw engineError('locked', '/home/u/panel.db is in use.', '/home/u/panel.db');
  });
  await screen.findByText('/home/u/panel.db is in use.');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
});

test('a bin of the scores leads to its rows, in the table and in the chart', async () => {
  const bins = Array.from({ length: 20 }, (_, place) => (place === 14 ? 6 : 0));
  open(() => stats({ scores: { bins, threshold: 0.3 } }));
  await screen.findByText('By rule');
  fireEvent.click(document.querySelector('[data-bin="0.70"]') as Element);
  expect(window.location.hash).toMatch(/^#\/audit\?min=0\.7&max=0\.75&from=\d+$/);
  const card = screen.getByRole('heading', { name: 'Judge’s scores' }).closest('section') as HTMLElement;
  fireEvent.click(within(card).getByRole('radio', { name: 'Table' }));
  const link = within(card).getByRole('link', { name: '6' });
  expect(link.getAttribute('href')).toMatch(/^#\/audit\?min=0\.7&max=0\.75&from=\d+$/);
  window.location.hash = '';
});
