import { type DecideRequest, decideRequestSchema } from './decision.ts';

export type ReadRequest = ReturnType<typeof decideRequestSchema.safeParse>;

/** As `decideRequestSchema.safeParse`, and several times as fast for what agents send: plain values and none too much. */
export function readDecideRequest(value: unknown): ReadRequest {
  const data = readPlain(value);
  return data === null ? decideRequestSchema.safeParse(value) : { success: true, data };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= most;
}

function isShort(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= 200);
}

/** Says null to all that is not certain to fit; the schema then answers. */
function readPlain(value: unknown): DecideRequest | null {
  if (!isPlain(value) || value.args_schema !== undefined || value.capabilities !== undefined) return null;
  const { channel, sender_id, intent, executor, args, capability, target, context, turn_id, wait_s, request_id } =
    value;
  if (!isText(channel, 200) || !isText(sender_id, 200) || typeof intent !== 'string' || !isText(executor, 500)) {
    return null;
  }
  if (!isPlain(args)) return null;
  if (!isShort(capability) || !isShort(turn_id)) return null;
  const data: DecideRequest = { channel, sender_id, intent, executor, args };
  if (capability !== undefined) data.capability = capability;
  if (target !== undefined) {
    if (typeof target !== 'string') return null;
    data.target = target;
  }
  if (context !== undefined) {
    const read = readContext(context);
    if (read === null) return null;
    data.context = read;
  }
  if (turn_id !== undefined) data.turn_id = turn_id;
  if (wait_s !== undefined) {
    if (!(typeof wait_s === 'number' && wait_s >= 0 && wait_s <= 86_400)) return null;
    data.wait_s = wait_s;
  }
  if (request_id !== undefined) {
    if (!isText(request_id, 200)) return null;
    data.request_id = request_id;
  }
  return data;
}

/** A copy, as the schema makes one: its own keys first. */
function readContext(context: unknown): DecideRequest['context'] | null {
  if (!isPlain(context)) return null;
  const { mode, step, critical, capability } = context;
  if (mode !== undefined && typeof mode !== 'string') return null;
  if (step !== undefined && !(typeof step === 'number' && Number.isFinite(step))) return null;
  if (critical !== undefined && typeof critical !== 'boolean') return null;
  if (capability !== undefined && typeof capability !== 'string') return null;
  const copy: DecideRequest['context'] & object = {};
  if (mode !== undefined) copy.mode = mode;
  if (step !== undefined) copy.step = step;
  if (critical !== undefined) copy.critical = critical;
  if (capability !== undefined) copy.capability = capability;
  for (const key of Object.keys(context)) {
    if (key === '__proto__') return null;
    copy[key] = context[key];
  }
  return copy;
}
