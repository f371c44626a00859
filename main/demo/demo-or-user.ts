import { homedir } from 'node:os';
import { startDemo } from './demo.ts';

/** The home that a host works on: the user's, or a demo's when `--demo` is among the arguments. */
export function demoOrUser(args: readonly string[]): { env: NodeJS.ProcessEnv; home: string } {
  if (!args.includes('--demo')) return { env: process.env, home: homedir() };
  const demo = startDemo(process.env, Date.now);
  process.stderr.write(`Demo: sample data in ${demo.home}. Nothing of yours is read or written.\n`);
  // Whichever way the process ends by itself; the folder is temporary if it is killed.
  process.once('exit', demo.close);
  return { env: { ...demo.env }, home: demo.home };
}
