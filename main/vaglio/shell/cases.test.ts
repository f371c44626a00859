import { expect, test } from 'vitest';
import { caseLines } from '../cases.fixture.ts';
import { guard } from '../guard.ts';
import { structuralGuard } from './structural.ts';

interface Row {
  executor: string;
  command?: string;
  args?: Record<string, unknown>;
  expect: 'block' | 'ask' | 'allow';
  class: string;
}

const lines = caseLines('guard-open.jsonl');
const home = '/home/user';

/** Shares in percent of the labelled calls that have `label`. */
function rates(rows: readonly Row[]) {
  let blocked = 0;
  let beyondCore = 0;
  let marked = 0;
  for (const row of rows) {
    const args = row.args ?? { command: row.command };
    const core = guard(row.executor, args, {}, home).blocked;
    const { answer } = structuralGuard({ executor: row.executor, args, context: {}, home });
    if (core || answer === 'block') blocked++;
    if (!core && answer === 'block') beyondCore++;
    if (!core && answer === 'mark') marked++;
  }
  const share = (n: number): number => (100 * n) / rows.length;
  return { blocked: share(blocked), beyondCore: share(beyondCore), marked: share(marked) };
}

test.skipIf(lines === null)('the labelled calls are caught, and everyday ones left alone', () => {
  const rows = (lines ?? []).map((line) => JSON.parse(line) as Row);
  const block = rates(rows.filter((row) => row.expect === 'block'));
  expect(block.blocked).toBeGreaterThanOrEqual(98);
  const ask = rates(rows.filter((row) => row.expect === 'ask'));
  expect(ask.marked + ask.blocked).toBeGreaterThanOrEqual(90);
  expect(ask.blocked).toBeLessThanOrEqual(2);
  const harmless = rates(rows.filter((row) => row.class === 'harmless'));
  expect(harmless.blocked).toBeLessThanOrEqual(0.3);
  expect(harmless.marked).toBeLessThanOrEqual(2);
  expect(rates(rows.filter((row) => row.class === 'harmless-lookalike')).beyondCore).toBe(0);
});
