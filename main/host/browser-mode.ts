/** Browser mode as a program: arguments, lock, engine, host, window, signals (platform page). */
import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createEngine } from '../engine/engine.ts';
import { UserError } from '../engine/errors.ts';
import { resolvePaths } from '../engine/paths.ts';
import type { Services } from '../engine/services.ts';
import { createOperatorCalls } from '../rpc/transports/operator-calls.ts';
import { type BrowserHost, startBrowserHost } from './browser-host.ts';
import { type InstanceLock, tryInstanceLock } from './instance-lock.ts';
import { hasDisplay, openWindow } from './open-window.ts';

const USAGE = `Usage: browser-main [--port N] [--no-open] [--demo]

  --port N    the port to serve on; 0, the default, takes a free one
  --no-open   open no window, only print the link
  --demo      say in the panel that its data is a demo's
`;
/** Whatever hangs while it is closed must not keep the process. */
const CLOSE_LIMIT_MS = 1500;

interface Options {
  port: number;
  open: boolean;
  demo: boolean;
}

/** @throws UserError `bad-input` */
export function parseOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '0' },
        'no-open': { type: 'boolean', default: false },
        demo: { type: 'boolean', default: false },
      },
    });
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
    if (!(port <= 65535)) throw new Error(`--port needs a number from 0 to 65535, not ${JSON.stringify(values.port)}.`);
    return { port, open: !values['no-open'], demo: values.demo };
  } catch (error) {
    throw new UserError('bad-input', error instanceof Error ? error.message : String(error));
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const warn = (line: string): void => void process.stderr.write(`${line}\n`);

/** Runs until a signal, then ends the process with 0; ends it with 1 or 2 when it cannot start. */
export async function runBrowserMode(given: {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  rendererDir: string | URL;
}): Promise<void> {
  // Whoever reads our output may leave before we do.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let options: Options;
  try {
    options = parseOptions(given.args);
  } catch (error) {
    warn(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  try {
    await start({ ...given, ...options });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    warn(error.message);
    process.exitCode = 1;
  }
}

async function start(options: Options & Parameters<typeof runBrowserMode>[0]): Promise<void> {
  const { env, home } = options;
  const rendererDir = builtPanel(options.rendererDir);
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
  if (lock !== null && !lock.held) return handedOver(lock, options, paths.stateDir);
  if (lock !== null) ending.push(() => lock.release());
  let host: BrowserHost;
  let services: Services;
  try {
    const engine = await createEngine({ ...options, clock: Date.now, host: 'browser', agentDoor: true, log: warn });
    ending.push(() => engine.close());
    services = engine.services;
    host = await startBrowserHost({ services, rendererDir, port: options.port, log: warn });
  } catch (error) {
    for (const step of ending.reverse()) await step();
    throw error;
  }
  ending.push(() => host.close());
  lock?.onShow(() => ({ url: host.newLink() }));
  lock?.onCall(createOperatorCalls({ services, log: warn }));
  say(`Panel ready: ${host.newLink()}`);
  const close = showWindow(host.newLink, options, paths.stateDir);
  if (close !== null) ending.push(close);
}

function builtPanel(place: string | URL): string {
  const folder = typeof place === 'string' ? place : fileURLToPath(place);
  try {
    accessSync(join(folder, 'index.html'));
    return folder;
  } catch (error) {
    throw new UserError(
      'unreadable',
      `The panel is not built: ${folder} has no index.html. Run npm run build.`,
      folder,
      {
        cause: error,
      },
    );
  }
}

function handedOver(
  lock: InstanceLock & { held: false },
  options: Parameters<typeof showWindow>[1],
  stateDir: string,
): void {
  const { url, panel } = lock.answer;
  if (panel === false) {
    const message = `An engine without a panel is running (vaglio serve, process ${lock.pid}). End it, then start again.`;
    throw new UserError('conflict', message);
  }
  if (url === null) {
    say('Panel already running: its window is in front now.');
    return;
  }
  say(`Panel already running: ${url}`);
  showWindow(() => url, options, stateDir);
}

function showWindow(
  link: () => string,
  options: { open: boolean; env: Readonly<Record<string, string | undefined>>; home: string },
  stateDir: string,
): (() => void) | null {
  if (!options.open || !hasDisplay(options.env, process.platform)) return null;
  try {
    const close = openWindow(link(), { env: options.env, home: options.home, stateDir });
    if (close === null) warn('No Chromium or Chrome was found for a window: open the link in a browser.');
    return close;
  } catch (error) {
    warn(`No window could be opened (${error instanceof Error ? error.message : error}): open the link in a browser.`);
    return null;
  }
}
