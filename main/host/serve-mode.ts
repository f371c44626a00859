/** The engine and its agent door without a panel, as a program: lock, engine, signals (platform page, "Two hosts"). */
import { createEngine } from '../engine/engine.ts';
import { UserError } from '../engine/errors.ts';
import { resolvePaths } from '../engine/paths.ts';
import { createOperatorCalls } from '../rpc/transports/operator-calls.ts';
import { tryInstanceLock } from './instance-lock.ts';

/** Whatever hangs while it is closed must not keep the process. */
const CLOSE_LIMIT_MS = 1500;

/**
 * Runs until a signal, then ends the process with 0.
 *
 * @param given.say one line on stdout: `Engine ready: <socket>`
 * @throws UserError when it cannot start: `conflict` where an engine runs already, or the agent door cannot be opened
 */
export async function runServeMode(given: {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  say: (line: string) => void;
  warn: (line: string) => void;
}): Promise<void> {
  const { env, home, say, warn } = given;
  const paths = resolvePaths(env, home);
  const ending: (() => unknown)[] = [];
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(code), CLOSE_LIMIT_MS).unref();
    for (const step of ending.reverse()) {
      await Promise.resolve(step()).catch((error: unknown) => warn(`while ending: ${String(error)}`));
    }
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(0));

  const lock = await tryInstanceLock(paths.lockFile, warn);
  if (lock !== null && !lock.held) {
    const message = `An engine runs already (process ${lock.pid}), and agents can ask it.`;
    throw new UserError('conflict', message, paths.lockFile);
  }
  try {
    if (lock !== null) ending.push(() => lock.release());
    const engine = await createEngine({
      env,
      home,
      clock: Date.now,
      host: 'serve',
      demo: false,
      agentDoor: true,
      log: warn,
    });
    ending.push(() => engine.close());
    const door = engine.door?.health();
    if (door?.state !== 'ok') throw new UserError('unreadable', door?.detail ?? 'There is no agent door.', door?.path);
    lock?.onCall(createOperatorCalls({ services: engine.services, log: warn }));
    lock?.onShow(() => ({ url: null, panel: false }));
    say(`Engine ready: ${door.path}`);
  } catch (error) {
    for (const step of ending.reverse()) await step();
    throw error;
  }
}
