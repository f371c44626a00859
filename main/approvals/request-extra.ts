import { z } from 'zod';
import type { Ask } from '../engine/ask.ts';
import { type FileMark, fileMarkSchema } from './binding.ts';

/**
 * What we keep in `request_extra` of our own requests, so that a card can be shown, and its step judged again, also after
 * a restart. A running Metnos keeps its own there; what is not this is not ours.
 */
const extraSchema = z.object({
  vaglio: z.literal(1),
  executor: z.string(),
  intent: z.string(),
  context: z.record(z.string(), z.unknown()),
  turn_id: z.string().nullable(),
  step: z.number().nullable(),
  /** Dropped once the request is decided for good. */
  args: z.record(z.string(), z.unknown()).optional(),
  capability: z.string(),
  needs: z.array(z.object({ capability: z.string(), target: z.string().nullable() })),
  verb: z.string(),
  object: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  marks: z.array(z.string()),
  digest: z.string(),
  files: z.array(fileMarkSchema),
  used: z.boolean(),
});
export type Extra = z.infer<typeof extraSchema>;

/** More than a person can look at; such a step is refused instead of asked. Bytes of JSON text. */
export const LARGEST_EXTRA = 1024 * 1024;

/** @throws RangeError for a step that is too large to be shown */
export function extraText(ask: Ask, digest: string, files: FileMark[]): string {
  const { executor, intent, context, turn_id, step, args, capability, needs, verb, object, from, to, marks } = ask;
  const extra: Extra = {
    vaglio: 1,
    executor,
    intent,
    context,
    turn_id,
    step,
    args,
    capability,
    needs: [...needs],
    verb,
    object,
    from,
    to,
    marks: [...marks],
    digest,
    files,
    used: false,
  };
  const text = JSON.stringify(extra);
  if (text.length > LARGEST_EXTRA) throw new RangeError('too large for a person to look at');
  return text;
}

/** null for a request that is not ours. */
export function readExtra(stored: string | null): Extra | null {
  if (stored === null || !stored.startsWith('{"vaglio":')) return null;
  try {
    const value: unknown = JSON.parse(stored);
    const { success, data } = extraSchema.safeParse(value);
    if (!success) return null;
    // The schema's copy of a record leaves `__proto__` out; the args are what was stored.
    return { ...data, ...('args' in data ? { args: (value as Extra).args } : {}) } as Extra;
  } catch {
    return null;
  }
}

export function askOfExtra(row: { channel: string; sender_id: string }, extra: Extra): Ask | null {
  const { args } = extra;
  if (args === undefined) return null;
  const { executor, intent, context, turn_id, step, capability, needs, verb, object, from, to, marks } = extra;
  const { channel, sender_id } = row;
  return {
    channel,
    sender_id,
    executor,
    intent,
    args,
    context,
    turn_id,
    step,
    capability,
    needs,
    verb,
    object,
    from,
    to,
    marks,
  };
}

/** Without the args, which nobody needs any more. */
export function closedExtra(stored: string | null, used = false): string | null {
  const extra = readExtra(stored);
  if (extra === null) return stored;
  const { args: _, ...rest } = extra;
  return JSON.stringify({ ...rest, used });
}
