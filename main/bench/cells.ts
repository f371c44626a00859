import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTONOMY_LEVELS, CAPABILITY_NAMES } from '../../shared/domain/capability.ts';
import { seededRandom } from '../../shared/lib/seeded-random.ts';
import { insertDecisions, type NewDecision } from '../db/decisions.ts';
import { createPanelStore, type PanelStore } from '../db/panel-store.ts';
import { createCellHistory } from '../pipeline/cell-history.ts';
import { print, round } from './measure.ts';

const CALLS = 1_000_000;
const DAYS = 30;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 30, 12);
const AT_ONCE = 5000;
const RUNS = 5;

/** What the Matrix page asks of a month of kept calls. @param args how many calls, absent: a million */
export async function benchCells([wanted]: readonly string[] = []): Promise<void> {
  const calls = wanted === undefined ? CALLS : Number(wanted);
  const folder = mkdtempSync(join(tmpdir(), 'vaglio-bench-cells-'));
  const panel = createPanelStore(join(folder, 'panel.db'));
  try {
    const used = process.cpuUsage();
    fill(panel, calls);
    const { user, system } = process.cpuUsage(used);
    print({ name: 'a kept call, with its count', calls, cpu_us: round((user + system) / calls) });
    const history = createCellHistory({
      panel,
      keeper: { flush: () => undefined, problem: () => null, days: () => DAYS },
      clock: () => NOW,
      levels: {
        state: () => ({ default_level: 'Supervised', default_timed: null, pairings: [], frozen: null, problem: null }),
      },
      limits: {},
    });
    const scope = { kind: 'default' as const };
    await measure('how often each cell fired, 7 days', calls, () => history.fired({}));
    await measure('another level, 30 days', calls, () => history.compare({ scope, to: 'Full' }));
    const cell = { level: 'Full', capability: 'fs:read' } as const;
    await measure('last 20 calls of a cell', calls, () => history.calls({ ...cell, limit: 20 }));
  } finally {
    panel.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(panel: PanelStore, calls: number): void {
  const random = seededRandom(5);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (let first = 0; first < calls; first += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, calls - first) }, (_, index): NewDecision => {
      const asked = random() < 0.3;
      return {
        at: Math.floor(NOW - DAYS * DAY_MS * (1 - (first + index) / calls)),
        ...{ channel: 'telegram', sender_id: pick(['anna', 'bert', 'carla']), executor: 'read_files' },
        ...{ capability: pick(CAPABILITY_NAMES), target: '~/notes/a.txt', level: pick(AUTONOMY_LEVELS) },
        ...{ decision: asked ? 'approved' : 'allowed', stage: asked ? 'approval' : 'vaglio' },
        ...{ rule: asked ? 'approval:person' : 'line:passed', decided_by: asked ? 'person' : 'table' },
        stages: [{ stage: 'policy', outcome: asked ? 'asked' : 'passed', rule: 'policy:table' }],
        ...{ verdict_ts: null, grant_id: null, approval_token: null, turn_id: null, step: null, error: null },
      };
    });
    panel.write((db) => insertDecisions(db, rows));
  }
}

/** The shortest of some runs, and for how long at most the thread was not free for a decision. */
async function measure(name: string, calls: number, ask: () => unknown): Promise<void> {
  let best = Number.POSITIVE_INFINITY;
  let held = Number.POSITIVE_INFINITY;
  let cpu = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    let longest = 0;
    let last = performance.now();
    let isOver = false;
    const look = (): void => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    const used = process.cpuUsage();
    const from = performance.now();
    await ask();
    const { user, system } = process.cpuUsage(used);
    cpu = Math.min(cpu, (user + system) / 1000);
    best = Math.min(best, performance.now() - from);
    isOver = true;
    await new Promise((resolve) => setImmediate(resolve));
    held = Math.min(held, longest);
  }
  print({
    name,
    calls,
    ms: round(best),
    cpu_ms: round(cpu),
    thread_held_ms: round(held),
    budget: 'page change <= 200 ms',
  });
}
