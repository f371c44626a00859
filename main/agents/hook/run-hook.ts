/**
 * One call of one client's hook (agents page, "Adapters"): the client's question on stdin, the engine's answer in the
 * client's own words. Every failure denies with a text that says why. A client starts this for every call, so it loads
 * nothing but Node's own: no schema library, no database, no command line library.
 */
import { askDecision, askDoor, mayRun } from '../client.ts';
import { refusalText } from '../refusal-text.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import { blocked, type HookCall, type HookClient, HookInputError, type HookOutput, isObject } from './client.ts';
import { CODEX } from './codex.ts';
import { GEMINI } from './gemini.ts';
import { requestOf } from './request.ts';

export const HOOK_CLIENTS: ReadonlyMap<string, HookClient> = new Map(
  [CLAUDE_CODE, CODEX, GEMINI].map((client) => [client.name, client]),
);

/** The agent door takes no more (agents page). */
const MOST_BYTES = 10 * 1024 * 1024;
/** Below the 600 s that a client gives its hook: at its own time-out the call may run. */
const WAIT_S = 570;
const LONGEST_WAIT_S = 3600;
/** For the answer itself, beside the waiting for a person. */
const ANSWER_MS = 15_000;
const INPUT_MS = 10_000;
const CANCEL_MS = 1000;

export interface HookDeps {
  /** Of the agent door. */
  socketPath: string;
  senderId: string;
  stdin: AsyncIterable<Uint8Array>;
  /** ms, beside the waiting for a person. */
  answerMs?: number;
  inputMs?: number;
}

interface HookOptions {
  waitS: number;
  asksClient: boolean;
}

/**
 * @param args what stands after `hook`: the client's name, then `--on-approval wait|ask` and `--wait SECONDS`
 * @returns what the process has to leave; never rejects
 */
export async function runHook(args: readonly string[], deps: HookDeps): Promise<HookOutput> {
  const client = HOOK_CLIENTS.get(args[0] ?? '');
  if (client === undefined) {
    const known = [...HOOK_CLIENTS.keys()].join(', ');
    return blocked(`Vaglio knows no client ${JSON.stringify(args[0] ?? '')}. Known: ${known}. The call is denied.`);
  }
  try {
    const options = readOptions(args.slice(1));
    if (typeof options === 'string') return blocked(`${options} The call is denied.`);
    return await answer(client, options, deps);
  } catch (error) {
    return crashed(error);
  }
}

/** For a fault of ours: a text without what the client has sent. */
export function crashed(error: unknown): HookOutput {
  const name = error instanceof Error ? error.name : 'an error';
  return blocked(`The hook of Vaglio failed (${name}), so the call is denied. Run \`vaglio doctor\`.`);
}

function readOptions(args: readonly string[]): HookOptions | string {
  const options: HookOptions = { waitS: WAIT_S, asksClient: false };
  for (let i = 0; i < args.length; i += 2) {
    const value = args[i + 1] ?? '';
    switch (args[i]) {
      case '--on-approval':
        if (value !== 'wait' && value !== 'ask') return '--on-approval of the hook is wait or ask.';
        options.asksClient = value === 'ask';
        break;
      case '--wait':
        options.waitS = Number(value);
        if (value.trim() === '' || !(options.waitS >= 0 && options.waitS <= LONGEST_WAIT_S)) {
          return `--wait of the hook is a number of seconds up to ${LONGEST_WAIT_S}.`;
        }
        break;
      default:
        return `The hook has no option ${JSON.stringify(args[i])}.`;
    }
  }
  return options;
}

async function answer(client: HookClient, { waitS, asksClient }: HookOptions, deps: HookDeps): Promise<HookOutput> {
  const denied = (reason: string): HookOutput => client.say({ kind: 'deny', reason: `Vaglio: ${reason}` });
  const text = await readInput(deps.stdin, deps.inputMs ?? INPUT_MS);
  if (typeof text === 'object') return denied(text.problem);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return denied('the hook was given something that is no JSON, so the call is denied.');
  }
  if (!isObject(message)) return denied('the hook was given no JSON object, so the call is denied.');
  let call: HookCall;
  try {
    call = client.read(message);
  } catch (error) {
    if (!(error instanceof HookInputError)) throw error;
    return denied(`the hook was not asked about a call it can read (${error.message}), so the call is denied.`);
  }
  const isAsked = client.canAsk(message) && (asksClient || call.limitS !== null);
  const { name, title } = client;
  const { senderId, socketPath: path, answerMs = ANSWER_MS } = deps;
  const request = requestOf(call, { channel: name, title, senderId, waitS: isAsked ? null : waitS });
  const timeoutMs =
    call.limitS === null ? (isAsked ? 0 : waitS * 1000) + answerMs : Math.min(call.limitS * 1000, answerMs);
  const asked = await askDecision(request, { path, timeoutMs });
  if (!asked.ok) return denied(`${asked.failure.message} The call is denied.`);
  const { decision, approval } = asked.value;
  if (mayRun(decision)) return client.say({ kind: 'allow', reason: `Vaglio: ${asked.value.reason}` });
  if (decision !== 'approval_required') {
    return client.say({ kind: 'deny', reason: refusalText(asked.value) });
  }
  // Whoever decides now decides elsewhere or too late: an open card would promise something else.
  if (approval !== undefined) await askDoor('cancel', { id: approval.token }, { path, timeoutMs: CANCEL_MS });
  if (isAsked) return client.say({ kind: 'ask', reason: 'Vaglio: a person has to decide about this call.' });
  return denied(`nobody decided about this call within ${waitS} s, so it is denied. It may be asked again.`);
}

/** @returns the text, or why there is none */
async function readInput(stdin: AsyncIterable<Uint8Array>, inputMs: number): Promise<string | { problem: string }> {
  const pieces: Uint8Array[] = [];
  const read = async (): Promise<string | { problem: string }> => {
    let size = 0;
    for await (const piece of stdin) {
      size += piece.length;
      if (size > MOST_BYTES) return { problem: `the call has more than ${MOST_BYTES} bytes, so it is denied.` };
      pieces.push(piece);
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
    } catch {
      return { problem: 'the hook was given something that is no UTF-8, so the call is denied.' };
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ problem: string }>((done) => {
    timer = setTimeout(done, inputMs, { problem: 'the call did not arrive in time, so it is denied.' });
  });
  try {
    return await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
