import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTONOMY_LEVELS, CAPABILITY_NAMES } from '../../shared/domain/capability.ts';
import { createGrantsService } from '../grants/grants.ts';
import { effectiveOutcome } from '../policy/outcome.ts';
import { tableOutcome } from '../policy/table.ts';
import { guard, noUsers } from '../vaglio/guard.ts';
import { evaluate, type JudgeOptions } from '../vaglio/judge.ts';
import { VerdictLog } from '../vaglio/log.ts';
import { type BenchCall, benchCorpus } from './corpus.ts';
import { fillGrants } from './grants-file.ts';
import { HOSTILE } from './hostile.ts';
import { print, rate, round, shortest } from './measure.ts';

const HOME = '/home/user';
const MB = 1_000_000;

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

function tableAlone(): void {
  const cells = AUTONOMY_LEVELS.flatMap((level) => CAPABILITY_NAMES.map((name) => [level, name] as const));
  // Inside the loop, so that the loop's own cost does not hide the look-up's.
  const batch = () => {
    let allowed = 0;
    for (const [level, name] of cells) if (tableOutcome(level, name) === 'allowed') allowed++;
    return allowed;
  };
  print({
    name: 'policy table alone',
    ops_per_s: round(rate(batch).ops_per_s * cells.length),
    budget: '>= 20,000,000/s',
  });
}

function judges(corpus: readonly BenchCall[], dir: string): void {
  const options: JudgeOptions = { threshold: 0.3, home: HOME, clock: Date.now, passwd: noUsers };
  const one = (index: number) => {
    const call = at(corpus, index);
    return evaluate(call.intent, call.executor, call.args, call.context, options);
  };
  print({ name: 'judge, rule-based, no log', ...rate(one), budget: '>= 700,000/s' });
  print({
    name: 'guard alone',
    ...rate((index) => {
      const call = at(corpus, index);
      return guard(call.executor, call.args, call.context, HOME, noUsers);
    }),
  });
  const log = new VerdictLog({ folder: dir, clock: Date.now });
  const logged = (index: number) => {
    const call = at(corpus, index);
    const { verdict } = one(index);
    const argsKeys = Object.keys(call.args);
    log.write({
      verdict,
      intent: call.intent,
      executor: call.executor,
      argsKeys,
      contextKeys: Object.keys(call.context),
    });
  };
  print({ name: 'judge, its line given to the kernel before the answer', ...rate(logged), budget: '>= 170,000/s' });
  const { state, missing } = log.health();
  log.close();
  if (state !== 'ok' || missing > 0) throw new Error(`the log was not written: ${state}, ${missing} lines missing`);
}

/** Grants and the calls that they cover, of three kinds mixed. */
function outcomes(dir: string): void {
  for (const count of [10, 10_000, 1_000_000]) {
    const path = join(dir, `grants-${count}.db`);
    const asked = fillGrants(path, count);
    const grants = createGrantsService({
      paths: { grantsDb: path },
      clock: Date.now,
      home: HOME,
      forbiddenPath: () => null,
    });
    const one = (index: number) => {
      const { capability, target } = at(asked, index);
      return effectiveOutcome(
        'Supervised',
        capability,
        { channel: 'telegram', sender_id: 'roberto', target },
        { hasGrant: grants.hasGrant },
      );
    };
    for (let i = 0; i < asked.length; i++)
      if (one(i) !== 'allowed') throw new Error(`grant ${i} of ${count} covers nothing`);
    print({ name: `effective outcome, table + a grant among ${count}`, ...rate(one), budget: '>= 250,000/s' });
    grants.close();
  }
}

function hostile(): void {
  for (const { name, executor, make } of HOSTILE) {
    const small = make(MB);
    const large = make(10 * MB);
    const small_ms = shortest(() => guard(executor, { command: small }, {}, HOME, noUsers), 3);
    const ms = shortest(() => guard(executor, { command: large }, {}, HOME, noUsers), 3);
    print({
      name: `guard, 10 MB of ${name}`,
      ms: round(ms),
      small_ms: round(small_ms),
      times: round(ms / small_ms),
      budget: '<= 100 ms, <= 12 x 1 MB',
    });
  }
  let deep: unknown = 'x';
  for (let i = 0; i < 1_000_000; i++) deep = [deep];
  const from = performance.now();
  const answer = guard('read_files', { deep }, {}, HOME, noUsers);
  print({
    name: 'guard, 1,000,000 levels of nesting',
    ms: round(performance.now() - from),
    refused: answer.blocked,
    budget: 'a refusal, <= 100 ms',
  });
}

/** The decision rows of the quality page. Writes only to a temporary folder. */
export function benchDecide(): void {
  const dir = mkdtempSync(join(tmpdir(), 'vaglio-bench-'));
  try {
    tableAlone();
    judges(benchCorpus(), dir);
    outcomes(dir);
    hostile();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
