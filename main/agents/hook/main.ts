/** The hook as a program of its own: `node hook.cjs claude-code|codex|gemini`. Whatever goes wrong exits with 2. */
import { writeSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { resolvePaths } from '../../engine/paths.ts';
import { agentSocketPath } from '../socket-file.ts';
import type { HookOutput } from './client.ts';
import { crashed, runHook } from './run-hook.ts';

let hasLeft = false;

function leave({ stdout, stderr, exit }: HookOutput): void {
  hasLeft = true;
  // Whoever stops reading gets no answer, and no answer must not count as a yes.
  process.stdout.on('error', () => process.exit(2));
  process.exitCode = exit;
  const end = (): never => process.exit(exit);
  if (stderr !== '') process.stderr.write(stderr, end);
  else if (stdout !== '') process.stdout.write(stdout, end);
  else end();
}

process.on('uncaughtException', (error) => leave(crashed(error)));
process.on('exit', () => {
  if (hasLeft) return;
  // Nothing is left to wait for and there was no answer: without a text one client would let the call run.
  writeSync(2, crashed(new Error()).stderr);
  process.exitCode = 2;
});

/** No `await` outside of it: the bundle is CommonJS. */
async function run(): Promise<void> {
  try {
    const socketPath = agentSocketPath(resolvePaths(process.env, homedir()).stateDir, process.platform);
    leave(await runHook(process.argv.slice(2), { socketPath, senderId: userInfo().username, stdin: process.stdin }));
  } catch (error) {
    leave(crashed(error));
  }
}

void run();
