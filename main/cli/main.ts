import { once } from 'node:events';
import { homedir } from 'node:os';
import { runCli } from './cli.ts';

// A reader that has seen enough closes the pipe: no fault of anybody.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

await runCli(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  clock: Date.now,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  setExit: (code) => {
    process.exitCode = code;
  },
  stdin: process.stdin,
  isTerminal: process.stdin.isTTY && process.stderr.isTTY,
  drained: async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  },
});
