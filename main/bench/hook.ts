import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../engine/engine.ts';
import { UserError } from '../engine/errors.ts';
import { print, round } from './measure.ts';

const HOOK = join(import.meta.dirname, '../../dist/main/hook.cjs');
const RUNS = 60;
const WARM = 5;
/** Nothing that is asked about: the answer comes at once. */
const CALL = JSON.stringify({
  session_id: 'bench',
  cwd: '/tmp',
  hook_event_name: 'PreToolUse',
  tool_name: 'TodoWrite',
  tool_input: { todos: [] },
});

/** One process from its start to its end, ms. */
function once(args: readonly string[], home: string, input: string): Promise<{ ms: number; stdout: string }> {
  return new Promise((done, fail) => {
    const from = performance.now();
    const child = spawn(process.execPath, args, { env: { HOME: home }, stdio: ['pipe', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.on('data', (piece) => {
      stdout += String(piece);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', fail);
    child.on('close', () => done({ ms: performance.now() - from, stdout }));
  });
}

function median(times: number[]): number {
  return times.sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** The hook of an agent, answered by an engine that runs, beside a Node that does nothing (quality page, "Speed"). */
export async function benchHook(): Promise<void> {
  if (!existsSync(HOOK)) throw new UserError('not-found', `There is no ${HOOK}. Run npm run build first.`, HOOK);
  const home = mkdtempSync(join(tmpdir(), 'vaglio-bench-'));
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const engine = await createEngine({
    env: {},
    home,
    clock: Date.now,
    host: 'serve',
    demo: false,
    agentDoor: true,
    log,
  });
  try {
    const hook: number[] = [];
    const bare: number[] = [];
    // One after the other, so that both see the same machine.
    for (let i = 0; i < RUNS + WARM; i++) {
      const nothing = await once(['-e', '0'], home, '');
      const asked = await once([HOOK, 'claude-code'], home, CALL);
      if (!asked.stdout.includes('"allow"')) throw new Error(`The hook did not allow: ${asked.stdout}`);
      if (i < WARM) continue;
      bare.push(nothing.ms);
      hook.push(asked.ms);
    }
    const [hookMs, bareMs] = [median(hook), median(bare)];
    print({
      name: 'hook of an agent, answered by the engine',
      ms: round(hookMs),
      bare_node_ms: round(bareMs),
      ratio: round(hookMs / bareMs),
      fastest_ms: round(hook[0] ?? Number.NaN),
      fastest_bare_node_ms: round(bare[0] ?? Number.NaN),
      budget: '<= 1.8 x node -e 0, median',
    });
  } finally {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  }
}
