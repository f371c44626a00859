/**
 * The demo: the panel on sample data in a temporary home, with calls being judged by the real engine
 * every second. It reads and writes nothing of the user's: home and environment are its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../shared/lib/seeded-random.ts';
import type { Clock } from '../engine/clock.ts';
import { resolvePaths } from '../engine/paths.ts';
import { noUsers } from '../vaglio/guard.ts';
import { judge } from '../vaglio/judge.ts';
import { VerdictLog } from '../vaglio/log.ts';
import type { LogEntry } from '../vaglio/log-line.ts';
import { DEFAULT_THRESHOLD } from '../vaglio/threshold.ts';
import { drawCall, type SampleCall } from './sample-calls.ts';
import { makeSampleHome } from './sample-home.ts';

const EVERY_MS = 1000;

type Env = Readonly<Record<string, string | undefined>>;

export interface Demo {
  home: string;
  /** The part of the caller's environment that names nothing of the user's. */
  env: Env;
  /** Stops the calls and removes the temporary home. Synchronous, so that it can run while a process ends. */
  close(): void;
}

/** What a window and a program need to run; nothing that names files, keys or settings of the user's. */
const NEEDED =
  /^(PATH|LANG|LC_\w+|TZ|TERM|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|SystemRoot|TEMP|TMP|TMPDIR|VAGLIO_\w+)$/i;

function ownEnvironment(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
}

/** @throws when the temporary folder cannot be made */
export function startDemo(env: Env, clock: Clock): Demo {
  const home = mkdtempSync(join(tmpdir(), 'vaglio-demo-'));
  const paths = resolvePaths({}, home);
  const judged = (call: SampleCall, at: number): LogEntry => {
    const context = { mode: 'supervised', capability: call.capability };
    const options = { threshold: DEFAULT_THRESHOLD, home, clock: () => at, passwd: noUsers };
    return {
      verdict: judge(call.intent, call.executor, call.args, context, options),
      intent: call.intent,
      executor: call.executor,
      argsKeys: Object.keys(call.args),
      contextKeys: Object.keys(context),
    };
  };
  makeSampleHome(paths, clock(), judged);
  const log = new VerdictLog({ folder: paths.verdictLog, clock });
  const random = seededRandom(clock());
  const timer = setInterval(() => log.write(judged(drawCall(random), clock())), EVERY_MS);
  return {
    home,
    env: { ...ownEnvironment(env), HOME: home },
    close: () => {
      clearInterval(timer);
      log.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
