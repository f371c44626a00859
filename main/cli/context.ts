import type { Clock } from '../engine/clock.ts';

/** What a command may touch; an argument, so that a test runs a command without a process. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute path that `~` stands for. */
  home: string;
  clock: Clock;
  /** One line on stdout, without its line feed. */
  out(line: string): void;
  /** One line on stderr, without its line feed. */
  err(line: string): void;
  setExit(code: number): void;
}

/** For a command that reads calls and answers them one by one. */
export interface StreamContext extends CliContext {
  stdin: AsyncIterable<Uint8Array>;
  /** A person types at the other end. Absent: no. */
  isTerminal?: boolean;
  /** Resolves when stdout takes more: a slow reader must not fill our memory. */
  drained(): Promise<void>;
}
