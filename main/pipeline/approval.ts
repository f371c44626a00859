import type { Ask, Desk } from '../engine/ask.ts';
import { SOURCE_KEYS } from './derive.ts';
import { type StageResult, type Step, skipped } from './stage.ts';

/**
 * Stage 5 (pipeline page): does a person have to be asked, and has one said no to the like for this session? A grant does
 * not cover what the guard's structural layer has marked: whoever gave it has not seen this.
 */
export function approval(step: Step, { desk }: { desk: Pick<Desk, 'silencedBy'> }): StageResult {
  if (step.grantId !== null && step.marks.length > 0) {
    step.asks = true;
    step.grantId = null;
  }
  if (!step.asks) return skipped('approval:not-needed', 'no person has to be asked');
  if (desk.silencedBy(askOf(step)) !== null) {
    const reason = 'rejected: a person said no to the like for this session';
    return {
      outcome: 'ended',
      rule: 'approval:session',
      reason,
      matched: null,
      end: { decision: 'rejected', by: 'person', error: null, logged: reason },
    };
  }
  return { outcome: 'asked', rule: 'approval:asked', reason: 'a person has to decide', matched: null, end: null };
}

/** The step as a person gets to see it. */
export function askOf({ request, needs, capability, verb, marks }: Step): Ask {
  const { channel, sender_id, executor, intent, args, context = {}, turn_id = null } = request;
  const asked = capability ?? needs[0]?.capability ?? '';
  const targets = [...new Set(needs.map(({ target }) => target).filter((target) => target !== null))];
  return {
    channel,
    sender_id,
    executor,
    intent,
    args,
    context,
    turn_id,
    step: typeof context.step === 'number' && Number.isFinite(context.step) ? context.step : null,
    capability: asked,
    needs,
    verb,
    object: targets.length === 0 ? executor : targets.join('\n'),
    ...ways(args, verb),
    marks,
  };
}

/** From where to where, for what is moved or copied. */
function ways(args: Record<string, unknown>, verb: Step['verb']): { from: string | null; to: string | null } {
  if (verb !== 'move' && verb !== 'copy') return { from: null, to: null };
  const text = (keys: readonly string[]): string | null => {
    const key = keys.find((one) => Object.hasOwn(args, one));
    const value = key === undefined ? undefined : args[key];
    if (typeof value === 'string') return value;
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join('\n') : null;
  };
  return {
    from: text([...SOURCE_KEYS, 'path', 'paths']),
    to: text(['dst', 'dest', 'destination', 'dst_template', 'to', 'target_path']),
  };
}
