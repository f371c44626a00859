import {
  type Action,
  actionSchema,
  type CompactAction,
  type Flow,
  flowSchema,
} from '../../shared/domain/constitution.ts';
import { InvalidAction } from './errors.ts';

export const URGENCY = { least: 0.5, usual: 1, most: 2 } as const;

/**
 * Reads an action; unknown fields are dropped (constitution page, section 4).
 * @throws InvalidAction naming the field
 */
export function readAction(value: unknown, flow: Flow): Action {
  const read = actionSchema.safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0];
    const field = issue?.path.map(String).join('.') || 'action';
    throw new InvalidAction(field, `The action's ${field} cannot be used: ${issue?.message ?? 'it is wrong'}.`);
  }
  const action = read.data;
  if ((action.channel === undefined) !== (action.sender_id === undefined)) {
    const field = action.channel === undefined ? 'channel' : 'sender_id';
    throw new InvalidAction(field, `The action's ${field} is missing: give channel and sender_id, or neither.`);
  }
  if (flow === 'proactive' && action.reversibility === undefined) {
    const says = "The action's reversibility is missing: a proactive action says reversible, partial or irreversible.";
    throw new InvalidAction('reversibility', says);
  }
  return action;
}

/** @throws InvalidAction for anything but `reactive` and `proactive` */
export function readFlow(value: unknown): Flow {
  const read = flowSchema.safeParse(value);
  if (!read.success) throw new InvalidAction('flow', 'The flow has to be reactive or proactive.');
  return read.data;
}

/**
 * The proposer's urgency, clamped to [0.5, 2].
 * @throws InvalidAction for what is no number
 */
export function readUrgency(value: unknown): { given: number; used: number } {
  if (value === undefined) return { given: URGENCY.usual, used: URGENCY.usual };
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new InvalidAction('urgency', `The urgency has to be a number; ${URGENCY.usual} is the usual one.`);
  }
  return { given: value, used: Math.min(URGENCY.most, Math.max(URGENCY.least, value)) };
}

const listed = (value: string | string[] | undefined): string[] =>
  (typeof value === 'string' ? [value] : (value ?? [])).filter((text) => text.trim() !== '');

/** What may cross the wall to the judge; field by field, so that nothing else can. */
export function compactAction(action: Action): CompactAction {
  return {
    kind: action.kind,
    scope: listed(action.scope),
    impact: action.impact ?? '',
    plan: listed(action.plan),
    reversibility: action.reversibility ?? null,
    rationale: action.rationale ?? '',
  };
}

/** Objects with their keys sorted, so that their order does not matter. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, canonical(item)]),
  );
}

/**
 * What two proposals have in common that are the same to a person: kind, capability and targets; other words around
 * them do not make a new one. Without targets the args stand in their place.
 */
export function sameness(action: Action): string {
  const { kind, capability, targets, args } = action;
  const about = targets.length > 0 ? [...new Set(targets.map((target) => target.trim()))].sort() : canonical(args);
  return JSON.stringify([kind.toLowerCase(), capability ?? null, about]);
}
