import { runCli } from './cli.ts';
import type { StreamContext } from './context.ts';

export interface Ran {
  out: string[];
  err: string[];
  exit: number;
}

/** Runs one command without a process. @param given.input what stands on stdin */
export async function runCommand(
  args: readonly string[],
  given: {
    home: string;
    clock?: () => number;
    input?: string | Uint8Array;
    isTerminal?: boolean;
    env?: StreamContext['env'];
  },
): Promise<Ran> {
  const { home, clock = Date.now, input = '', isTerminal = false, env = {} } = given;
  const ran: Ran = { out: [], err: [], exit: 0 };
  async function* stdin() {
    yield typeof input === 'string' ? Buffer.from(input) : input;
  }
  await runCli(args, {
    env,
    home,
    clock,
    isTerminal,
    stdin: stdin(),
    out: (line) => ran.out.push(...line.split('\n')),
    err: (line) => ran.err.push(...line.split('\n')),
    setExit: (code) => {
      ran.exit = code;
    },
    drained: async () => undefined,
  });
  return ran;
}
