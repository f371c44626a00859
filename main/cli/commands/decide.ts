import type { Command } from 'commander';
import type { DecideRequest, DecisionKind } from '../../../shared/domain/decision.ts';
import { type AgentFailure, askDecision } from '../../agents/client.ts';
import { agentSocketPath } from '../../agents/socket-file.ts';
import { resolvePaths } from '../../engine/paths.ts';
import type { StreamContext } from '../context.ts';
import { jsonLine, printable } from '../printable.ts';

const MOST_BYTES = 10 * 1024 * 1024;
/** Exit codes (agents page, "Any program"). */
const EXIT = { runs: 0, denied: 1, failed: 2, asks: 3 } as const;

/**
 * `vaglio decide` (agents page, "Any program"): one request on stdin, the engine's answer on stdout. Without an answer
 * it prints a denial with the reason, and exits with 2.
 */
export function registerDecide(program: Command, ctx: StreamContext): void {
  program
    .command('decide')
    .description(
      'ask the engine about the JSON request on stdin; exit 0 allowed, 1 denied, 2 error, 3 approval required',
    )
    .option('--wait <seconds>', 'hold until a person decides, at most so long')
    .action(async (options: { wait?: string }) => {
      const asked = await ask(ctx, options);
      if (asked.ok) {
        ctx.out(jsonLine(asked.value));
        ctx.setExit(exitOf(asked.value.decision));
        return;
      }
      const { kind, message } = asked.failure;
      ctx.out(jsonLine({ decision: 'denied', reason: message, error: kind }));
      ctx.err(printable(`error: ${message}`));
      ctx.setExit(EXIT.failed);
    });
}

function exitOf(decision: DecisionKind): number {
  switch (decision) {
    case 'allowed':
    case 'approved':
      return EXIT.runs;
    case 'approval_required':
      return EXIT.asks;
    case 'denied':
    case 'rejected':
    case 'expired':
    case 'withdrawn':
      return EXIT.denied;
    default:
      decision satisfies never;
      return EXIT.denied;
  }
}

async function ask(ctx: StreamContext, options: { wait?: string }): ReturnType<typeof askDecision> {
  const failed = (message: string): { ok: false; failure: AgentFailure } => ({
    ok: false,
    failure: { kind: 'error', message },
  });
  const wait = options.wait === undefined ? undefined : Number(options.wait);
  if (wait !== undefined && !(options.wait?.trim() !== '' && wait >= 0)) {
    return failed(`--wait needs a number of seconds, not ${JSON.stringify(options.wait)}.`);
  }
  const text = await readAll(ctx.stdin);
  if (text === null) return failed(`The request has more than ${MOST_BYTES} bytes.`);
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return failed('The request on stdin is no JSON.');
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return failed('The request on stdin is no JSON object.');
  }
  const path = agentSocketPath(resolvePaths(ctx.env, ctx.home).stateDir, process.platform);
  const full = (wait === undefined ? request : { ...request, wait_s: wait }) as DecideRequest;
  return askDecision(full, {
    path,
    onPending: ({ token, expires_at }) => ctx.err(printable(`A person is asked (${token}, until ${expires_at}).`)),
  });
}

/** @returns null when there is more than may be sent */
async function readAll(input: AsyncIterable<Uint8Array>): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of input) {
    size += piece.length;
    if (size > MOST_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
