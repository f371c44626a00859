import type { ToolStep } from './tool-step.ts';

/** What a client tells of a call that it is about to run. */
export interface HookCall {
  tool: string;
  step: ToolStep;
  /** Names the call for the client; null where it has no name. */
  callId: string | null;
  /** The client's conversation, or its turn. */
  turnId: string | null;
  /** Another process waits for so long at most, s; null: as long as was asked for. */
  limitS: number | null;
}

export type HookVerdict =
  /** It may run. */
  | { kind: 'allow'; reason: string }
  | { kind: 'deny'; reason: string }
  /** The client's own dialog shall ask the person. */
  | { kind: 'ask'; reason: string };

/** What the hook's process leaves behind. */
export interface HookOutput {
  stdout: string;
  stderr: string;
  exit: number;
}

/** One client's contract (agents page, "Adapters"). */
export interface HookClient {
  /** Also the channel of its requests. */
  name: string;
  /** As a person knows it. */
  title: string;
  /** @throws HookInputError for anything that is no call */
  read(message: Record<string, unknown>): HookCall;
  /** How this client is told. */
  say(verdict: HookVerdict): HookOutput;
  /** Whether `ask` means something to it, for such a message. */
  canAsk(message: Record<string, unknown>): boolean;
}

/** The client sent something that is no call: nothing may run on it. */
export class HookInputError extends Error {}

/** Blocks with a text in every client, whatever became of stdout. */
export function blocked(reason: string): HookOutput {
  return { stdout: '', stderr: `${reason}\n`, exit: 2 };
}

export function jsonOutput(value: unknown): HookOutput {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '', exit: 0 };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws HookInputError */
export function toolName(value: unknown, key: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new HookInputError(`${key} is missing`);
}

/** @throws HookInputError; an absent input is an empty one */
export function toolInput(value: unknown, key: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw new HookInputError(`${key} is no object`);
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** @throws HookInputError for another event: it is no question about a call */
export function expectEvent(message: Record<string, unknown>, wanted: string): void {
  const event = message.hook_event_name;
  if (event !== wanted) throw new HookInputError(`hook_event_name is not ${wanted}`);
}

/** The folder of the client; ours is the same where it does not say. */
export function folderOf(value: unknown): string {
  return typeof value === 'string' && value.startsWith('/') ? value : process.cwd();
}
