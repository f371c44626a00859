import { readFileSync } from 'node:fs';
import { UserError } from '../engine/errors.ts';
import { guard } from '../vaglio/guard.ts';
import { structuralGuard } from '../vaglio/shell/structural.ts';

/** One labelled call; `command` is short for `{command}`. */
interface LabelledCall {
  readonly executor: string;
  readonly args: unknown;
  readonly expect: 'block' | 'ask' | 'allow';
  readonly className: string;
  readonly id: string;
}

const HOME = '/home/user';
const WARM_UP = 3;
const ROUNDS = 10;

function readCall(line: string, number: number, path: string): LabelledCall {
  let row: Record<string, unknown>;
  try {
    row = JSON.parse(line) as Record<string, unknown>;
  } catch (cause) {
    throw new UserError('bad-input', `${path}, line ${number}: not JSON. Each line has to be one JSON object.`, path, {
      cause,
    });
  }
  const { expect, executor, command } = row;
  if (expect !== 'block' && expect !== 'ask' && expect !== 'allow') {
    throw new UserError('bad-input', `${path}, line ${number}: expect has to be block, ask or allow.`, path);
  }
  return {
    executor: typeof executor === 'string' ? executor : 'shell_exec',
    args: row.args ?? { command },
    expect,
    className: typeof row.class === 'string' ? row.class : 'unnamed',
    id: typeof row.id === 'string' ? row.id : String(number),
  };
}

/** @throws UserError when the file cannot be read or a line is not a labelled call. */
export function readCalls(path: string): LabelledCall[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UserError('unreadable', `The labelled calls could not be read from ${path}. Check the path.`, path, {
      cause,
    });
  }
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [readCall(line, i + 1, path)]));
}

/** How many calls of a kind there are, and what became of them. */
interface Tally {
  calls: number;
  /** Blocked by the core or by the layer. */
  blocked: number;
  /** Blocked by the layer and not by the core. */
  layer: number;
  /** Not blocked, but marked. */
  marked: number;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100_000) / 1000;
}

function percentile(sorted: readonly number[], p: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0;
}

/** Microseconds for one call, core and layer together, over every call of several rounds after a warm-up. */
function speed(calls: readonly LabelledCall[]): { p50: number; p99: number } {
  const samples: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const call of calls) {
      const from = process.hrtime.bigint();
      guard(call.executor, call.args, {}, HOME);
      structuralGuard({ executor: call.executor, args: call.args, context: {}, home: HOME });
      if (round >= WARM_UP) samples.push(Number(process.hrtime.bigint() - from) / 1000);
    }
  }
  samples.sort((a, b) => a - b);
  return { p50: Math.round(percentile(samples, 0.5) * 10) / 10, p99: Math.round(percentile(samples, 0.99) * 10) / 10 };
}

/**
 * Catch rate by class, false alarms and speed over a labelled JSONL (quality page, vaglio page section 2).
 * Writes one JSON line a figure. Options: `--cases PATH`, `--json` (accepted, the output is always JSON),
 * `--misses` (ids of the calls that were judged otherwise than labelled).
 * @returns the exit code: 0, or 2 when the path is missing.
 * @throws UserError when the file cannot be read.
 */
export function runGuardBench(argv: readonly string[], write: (line: string) => void = console.log): number {
  const at = argv.indexOf('--cases');
  const path = argv[at + 1];
  if (at < 0 || path === undefined) {
    write(JSON.stringify({ name: 'guard', error: 'Name the labelled calls: --cases PATH.' }));
    return 2;
  }
  const calls = readCalls(path);
  const tallies = new Map<string, Tally>();
  const misses: string[] = [];
  for (const call of calls) {
    const core = guard(call.executor, call.args, {}, HOME).blocked;
    const { answer } = structuralGuard({ executor: call.executor, args: call.args, context: {}, home: HOME });
    const blocked = core || answer === 'block';
    const right =
      call.expect === 'block' ? blocked : call.expect === 'ask' ? answer !== 'pass' : core || answer === 'pass';
    if (!right) misses.push(call.id);
    for (const key of [call.expect, `${call.expect}/${call.className}`]) {
      const tally = tallies.get(key) ?? { calls: 0, blocked: 0, layer: 0, marked: 0 };
      tally.calls++;
      if (blocked) tally.blocked++;
      if (answer === 'block' && !core) tally.layer++;
      if (!blocked && answer === 'mark') tally.marked++;
      tallies.set(key, tally);
    }
  }
  for (const [key, t] of [...tallies].sort(([a], [b]) => a.localeCompare(b))) {
    write(
      JSON.stringify({
        name: `guard.${key}`,
        calls: t.calls,
        blocked_pct: share(t.blocked, t.calls),
        blocked_beyond_core_pct: share(t.layer, t.calls),
        marked_pct: share(t.marked, t.calls),
        caught_pct: share(t.blocked + t.marked, t.calls),
      }),
    );
  }
  if (argv.includes('--misses')) write(JSON.stringify({ name: 'guard.misses', ids: misses }));
  const everyday = calls.filter((call) => call.expect === 'allow');
  write(JSON.stringify({ name: 'guard.everyday_us', ...speed(everyday.length === 0 ? calls : everyday) }));
  return 0;
}
