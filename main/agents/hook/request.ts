import type { DecideRequest } from '../../../shared/domain/decision.ts';
import type { HookCall } from './client.ts';
import type { ToolStep } from './tool-step.ts';

const LONGEST_ID = 200;
/** Where the line looks for several targets of one step; a key that the tool has itself is left alone. */
const SEVERAL = {
  'fs:read': ['paths', 'files', 'file_paths'],
  'fs:write': ['paths', 'files', 'file_paths'],
  'network:http': ['hosts', 'host', 'hostname'],
} as const;

/** The step's targets, as a request names them: one by `target`, several in the args. */
export function targeted({ capability, targets, args }: ToolStep): Pick<DecideRequest, 'args' | 'target'> {
  const [only] = targets;
  if (only === undefined) return { args };
  if (targets.length === 1) return { args, target: only };
  const keys: readonly string[] = Object.hasOwn(SEVERAL, capability) ? SEVERAL[capability as keyof typeof SEVERAL] : [];
  const key = keys.find((each) => !Object.hasOwn(args, each));
  // Without a place for them all the step has no target, and is denied.
  return { args: key === undefined ? {} : { ...args, [key]: [...targets] } };
}

/** @param caller who asks; `wait_s` absent: it does not wait for a person */
export function requestOf(
  call: HookCall,
  caller: { channel: string; title: string; senderId: string; waitS: number | null },
): DecideRequest {
  const { tool, step, callId, turnId } = call;
  const { channel, title, senderId, waitS } = caller;
  const requestId = callId === null ? null : `${turnId ?? ''}:${callId}`;
  return {
    channel,
    sender_id: senderId,
    // The client does not tell what the person wanted; a value of an argument must not get into the log.
    intent: `${title}: ${tool}`,
    executor: tool,
    ...targeted(step),
    capability: step.capability,
    context: { mode: 'hook', capability: step.capability, cwd: step.cwd },
    ...(turnId !== null && turnId.length <= LONGEST_ID ? { turn_id: turnId } : {}),
    ...(requestId !== null && requestId.length <= LONGEST_ID ? { request_id: requestId } : {}),
    ...(waitS === null ? {} : { wait_s: waitS }),
  };
}
