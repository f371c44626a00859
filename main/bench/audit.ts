import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Audit, createAuditService } from '../audit/audit.ts';
import { noUsers } from '../vaglio/guard.ts';
import { evaluate } from '../vaglio/judge.ts';
import { VerdictLog } from '../vaglio/log.ts';
import { writeAuditLog } from './audit-log.ts';
import { benchCorpus } from './corpus.ts';
import { print, round } from './measure.ts';

/** Lines of the log that is made; fewer with VAGLIO_BENCH_LINES, for a first look. */
const LINES = Number(process.env.VAGLIO_BENCH_LINES) || 1_000_000;
const OTHER_LINES = Math.min(100_000, Math.floor(LINES / 4));
const RUNS = 200;
const AT = Date.parse('2026-11-30T22:00:00Z');

interface Spread {
  p50: number;
  p99: number;
}

function spreadOf(times: number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: round(at(0.5)), p99: round(at(0.99)) };
}

/** Time of one call in the worker and back, ms. */
async function timed(call: () => unknown, runs = RUNS): Promise<Spread> {
  for (let n = 0; n < 10; n++) await call();
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    const from = performance.now();
    await call();
    times.push(performance.now() - from);
  }
  return spreadOf(times);
}

function until(check: () => boolean): Promise<void> {
  return new Promise((done) => {
    const look = (): void => void (check() ? done() : setTimeout(look, 1));
    look();
  });
}

/** Decisions on this thread, one every millisecond, as an agent makes them; until `done`. */
async function decide(log: VerdictLog, done: () => boolean): Promise<number[]> {
  const corpus = benchCorpus();
  const times: number[] = [];
  for (let n = 0; !done(); n++) {
    const call = corpus[n % corpus.length];
    if (call === undefined) break;
    const from = performance.now();
    const { verdict } = evaluate(call.intent, call.executor, call.args, call.context, {
      threshold: 0.3,
      home: '/home/user',
      clock: Date.now,
      passwd: noUsers,
    });
    log.write({
      verdict,
      intent: call.intent,
      executor: call.executor,
      argsKeys: Object.keys(call.args),
      contextKeys: [],
    });
    times.push((performance.now() - from) * 1000);
    await new Promise((next) => setTimeout(next, 1));
  }
  return times;
}

function plainRead(folder: string): void {
  const from = performance.now();
  let bytes = 0;
  for (const name of readdirSync(folder)) bytes += readFileSync(join(folder, name)).length;
  print({
    name: 'a plain read of the log, for comparison',
    ms: round(performance.now() - from),
    mb: round(bytes / 1e6),
  });
  const parseFrom = performance.now();
  let lines = 0;
  for (const name of readdirSync(folder))
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line === '') continue;
      JSON.parse(line);
      lines++;
    }
  print({ name: 'JSON.parse of every line, for comparison', ms: round(performance.now() - parseFrom), lines });
}

function jq(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const from = performance.now();
  try {
    execFileSync('jq', [
      '-n',
      'reduce inputs as $l ({}; .[$l.executor + "/" + ($l.blocked_by // "-")] += 1)',
      ...files,
    ]);
  } catch {
    print({ name: 'jq, the same counts, for comparison', skipped: true, why: 'jq is not there or failed' });
    return;
  }
  print({ name: 'jq, the same counts, for comparison', ms: round(performance.now() - from) });
}

/** The first pass, with decisions on the main thread meanwhile. */
async function firstIndex(audit: Audit, idle: Spread, log: VerdictLog): Promise<void> {
  const from = performance.now();
  let rows: number | null = null;
  let indexed = false;
  const busy = decide(log, () => indexed);
  await until(() => {
    const { phase, lines } = audit.state();
    if (rows === null && phase === 'following' && lines >= LINES) rows = performance.now() - from;
    return rows !== null && audit.state().progress === undefined;
  });
  indexed = true;
  const whole = performance.now() - from;
  const { p50, p99 } = spreadOf(await busy);
  print({
    name: `first index of ${LINES} lines: rows, offsets, roll-ups`,
    ms: round(rows ?? Number.NaN),
    budget: '<= 5 s',
  });
  print({ name: 'with record and text search', ms: round(whole), budget: '<= 9 s in all' });
  print({
    name: 'decisions meanwhile',
    p50_us: p50,
    p99_us: p99,
    idle_p99_us: idle.p99,
    times: round(p99 / idle.p99),
    budget: 'p99 <= 2 x idle',
  });
}

async function answers(audit: Audit): Promise<void> {
  const whole = await timed(() => audit.counts({ by: ['blocked_by', 'executor', 'day'] }), 50);
  print({ name: 'blocked-by x executor x day, the whole index', ms: whole.p50, p99_ms: whole.p99, budget: '<= 4 ms' });
  for (const range of ['24h', '7d', '30d', 'all', '2026-10'] as const) {
    const { p50, p99 } = await timed(() => audit.stats({ range }), 50);
    print({ name: `statistics page, ${range}`, ms: p50, p99_ms: p99, budget: '<= 4 ms' });
  }
  const first = await timed(() => audit.page({ limit: 50 }));
  print({ name: 'page of 50, the first', ms: first.p50, p99_ms: first.p99, budget: '<= 1 ms' });
  let before: number | undefined;
  for (let row = 0; row < LINES * 0.9; row += 500) {
    const { rows } = await audit.page(before === undefined ? { limit: 500 } : { limit: 500, before });
    before = rows.at(-1)?.seq;
  }
  const deep = await timed(() => audit.page(before === undefined ? { limit: 50 } : { limit: 50, before }));
  print({
    name: `page of 50 at row ${LINES * 0.9}`,
    ms: deep.p50,
    p99_ms: deep.p99,
    times: round(deep.p50 / first.p50),
    budget: '<= 1 ms, <= 1.5 x the first',
  });
  for (const text of ['fatture', 'perche', 'sposta gita', '4242', 'gnupg']) {
    const { p50, p99 } = await timed(() => audit.page({ limit: 50, filter: { text } }));
    print({ name: `text search, newest 50: ${text}`, ms: p50, p99_ms: p99, budget: '<= 1 ms' });
  }
  for (const filter of [
    { outcome: 'denied' },
    { executor: 'shell_exec' },
    { blocked_by: 'judge', executor: 'read_files' },
    { min_score: 0.2, max_score: 0.3 },
    { text: 'bonifico', executor: 'shell_exec', max_score: 0.3 },
  ] as const) {
    const { p50, p99 } = await timed(() => audit.page({ limit: 50, filter }), 50);
    print({ name: `page of 50, ${JSON.stringify(filter)}`, ms: p50, p99_ms: p99 });
  }
  const from = performance.now();
  const { state, lines } = await audit.verify({});
  print({ name: 'comparison of everything with the record', ms: round(performance.now() - from), state, lines });
}

async function followed(audit: Audit, folder: string): Promise<void> {
  const line = `{"approved": true, "reason": "approved: x", "ts": ${AT / 1000}, "judge_kind": "rule-based-v1", "score": 0.7, "blocked_by": null, "intent": "live", "executor": "read_files", "args_keys": [], "context_keys": []}\n`;
  const times: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const { lines } = audit.state();
    const from = performance.now();
    appendFileSync(join(folder, '2026-11.jsonl'), line);
    while (audit.state().lines === lines) await new Promise((next) => setImmediate(next));
    times.push(performance.now() - from);
    await new Promise((next) => setTimeout(next, 2));
  }
  const { p50, p99 } = spreadOf(times);
  print({ name: 'line appended -> queryable', ms: p50, p99_ms: p99, budget: 'p50 <= 1 ms, p99 <= 5 ms' });
}

/** One first pass in a worker of its own, over an index of its own. @returns ms from the worker's start */
function indexOnce(folder: string, state: string, name: string): Promise<number> {
  return new Promise((done, fail) => {
    const from = performance.now();
    const setup = {
      folder,
      panelDb: join(state, `${name}.db`),
      grantsDb: join(state, 'none.db'),
      approvalsDb: join(state, 'none.db'),
      headFile: join(state, `${name}-head.json`),
    };
    const worker = new Worker(fileURLToPath(new URL('../audit/index.worker.ts', import.meta.url)), {
      workerData: setup,
    });
    worker.on('error', fail);
    worker.on('message', ({ tick }) => {
      if (tick?.state.phase !== 'following' || tick.state.progress !== undefined) return;
      worker.postMessage({ op: 'close' });
    });
    worker.on('exit', () => done(performance.now() - from));
  });
}

/** Memory of the whole process while a worker of its own indexes, less what it had before. */
async function memory(folder: string, state: string): Promise<void> {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  try {
    await indexOnce(folder, state, 'memory');
  } finally {
    clearInterval(look);
  }
  print({ name: 'memory of the worker, at most', mb: round((most - before) / 1e6), budget: '<= 250 MB' });
}

/** Lines that the fast way knows nothing of, beside as many that it knows. */
async function otherLines(folder: string, dir: string): Promise<void> {
  const [name = ''] = readdirSync(folder).sort();
  const lines = readFileSync(join(folder, name), 'utf8').split('\n', OTHER_LINES);
  const as = async (what: string, write: (line: string) => string): Promise<void> => {
    const place = join(dir, what);
    mkdirSync(place);
    writeFileSync(join(place, name), lines.map((line) => `${write(line)}\n`).join(''));
    print({ name: `first index of ${lines.length} lines, ${what}`, ms: round(await indexOnce(place, dir, what)) });
  };
  await as('as the original writes them', (line) => line);
  await as('without blanks between', (line) => JSON.stringify(JSON.parse(line)));
}

/** The audit rows of the quality page, over a log that it makes itself. Writes only to a temporary folder. */
export async function benchAudit(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'vaglio-bench-'));
  const folder = join(dir, 'vaglio');
  const state = join(dir, 'state');
  const log = new VerdictLog({ folder: join(dir, 'decisions'), clock: Date.now });
  try {
    const bytes = writeAuditLog(folder, LINES);
    print({ name: 'log', lines: LINES, mb: round(bytes / 1e6) });
    plainRead(folder);
    jq(folder);
    await memory(folder, state);
    await otherLines(folder, dir);
    const until2s = performance.now() + 2000;
    const idle = spreadOf(await decide(log, () => performance.now() > until2s));
    const paths = {
      verdictLog: folder,
      panelDb: join(state, 'panel.db'),
      grantsDb: join(state, 'grants.db'),
      approvalsDb: join(state, 'approvals.db'),
      auditHead: join(state, 'audit-head.json'),
    };
    const audit = createAuditService({ paths, clock: () => AT, threshold: 0.3 });
    try {
      await firstIndex(audit, idle, log);
      const size = statSync(paths.panelDb).size;
      print({
        name: 'index with text search',
        mb: round(size / 1e6),
        of_the_log: round(size / bytes),
        budget: '<= 0.85',
      });
      await answers(audit);
      await followed(audit, folder);
    } finally {
      await audit.close();
    }
  } finally {
    log.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
