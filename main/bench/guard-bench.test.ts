import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCalls, runGuardBench } from './guard-bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'guard-bench-'));

function run(...argv: string[]): Record<string, unknown>[] {
  const out: Record<string, unknown>[] = [];
  runGuardBench(argv, (line) => out.push(JSON.parse(line) as Record<string, unknown>));
  return out;
}

test('one line a figure: caught by class, marked, beyond the core, and the time of a call', () => {
  const path = join(folder, 'calls.jsonl');
  const rows = [
    { id: 'a', executor: 'shell_exec', command: 'rm -rf /', expect: 'block', class: 'core-text' },
    { id: 'b', executor: 'shell_exec', command: 'rm -fr "$HOME"', expect: 'block', class: 'variant' },
    { id: 'c', executor: 'shell_exec', command: 'ls', expect: 'block', class: 'variant' },
    { id: 'd', executor: 'shell_exec', args: { command: 'git reset --hard' }, expect: 'ask', class: 'recoverable' },
    { id: 'e', executor: 'shell_exec', command: 'ls', expect: 'allow', class: 'harmless' },
  ];
  writeFileSync(path, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  const out = run('--cases', path, '--json', '--misses');
  const figure = (name: string) => out.find((line) => line.name === name);
  expect(figure('guard.block')).toMatchObject({ calls: 3, blocked_pct: 66.667, blocked_beyond_core_pct: 33.333 });
  expect(figure('guard.ask')).toMatchObject({ calls: 1, blocked_pct: 0, marked_pct: 100 });
  expect(figure('guard.allow/harmless')).toMatchObject({ calls: 1, caught_pct: 0 });
  expect(figure('guard.misses')).toEqual({ name: 'guard.misses', ids: ['c'] });
  expect(figure('guard.everyday_us')?.p50).toBeGreaterThan(0);
});

test('a missing path, a missing file and a bad line are named', () => {
  expect(run('--json')[0]).toHaveProperty('error');
  expect(() => readCalls(join(folder, 'none.jsonl'))).toThrow(/none\.jsonl/);
  const path = join(folder, 'bad.jsonl');
  writeFileSync(path, '{"expect":"block"}\n{"expect":"perhaps"}\n');
  expect(() => readCalls(path)).toThrow(/line 2/);
  writeFileSync(path, 'x\n');
  expect(() => readCalls(path)).toThrow(/line 1: not JSON/);
});
