import type { Refusal } from '../../shared/domain/decision.ts';

/**
 * A refusal is a card too (pipeline page): why its rule exists, and what the person or the agent could do instead. English,
 * for programs and models; the panel has its own sentences by rule.
 */
const BY_RULE: Readonly<Record<string, Refusal>> = {
  'validation:request': {
    why: 'A request that cannot be read cannot be judged.',
    instead: 'Send a request of the documented shape.',
  },
  'validation:args': {
    why: 'Args that do not fit the schema of their executor do something else than was meant.',
    instead: 'Correct the args that are named, and ask again.',
  },
  'validation:schema': {
    why: 'A schema that cannot be used safely checks nothing.',
    instead: 'Send a smaller schema without recursion, other documents or look-around patterns.',
  },
  'scope:unknown': {
    why: 'What cannot be told is not taken for harmless.',
    instead: 'Name the capability and the target in the request, or give the executor a manifest.',
  },
  'scope:no-target': {
    why: 'Without a target nobody can say what would be touched.',
    instead: 'Name the path, host or recipient in the args.',
  },
  'scope:capability': {
    why: 'An executor keeps to the capabilities that it declares.',
    instead: 'Use an executor that declares this capability.',
  },
  'scope:hint': {
    why: 'An executor keeps to the places that it declares.',
    instead: 'Use a target inside of its declared places, or another executor.',
  },
  'policy:revoked': {
    why: 'A revoked pairing has no rights left.',
    instead: 'The person can pair it again.',
  },
  'policy:frozen': {
    why: 'The person has frozen everything: only what ReadOnly lets pass goes on.',
    instead: 'Wait until the person unfreezes.',
  },
  'policy:level': {
    why: 'The autonomy level does not allow this kind of step; no grant lifts that.',
    instead: 'The person can raise the level, also for a limited time.',
  },
  'policy:unknown': {
    why: 'The registry of capabilities is closed; what is not in it is denied.',
    instead: 'Use one of its capabilities.',
  },
  'policy:override': {
    why: 'The person has made this stricter than the table.',
    instead: 'The person can change policy_overrides.toml.',
  },
  'policy:cost': { why: 'The call costs more than the ceiling.', instead: 'Use a cheaper model.' },
  'policy:rate': { why: 'Too many calls came in a short time.', instead: 'Wait, then ask again.' },
  'judge:threshold': {
    why: 'The step fits the stated intent too little.',
    instead: 'Say the intent more exactly, or choose a step that follows from it.',
  },
  'approval:person': {
    why: 'The person said no to this step.',
    instead: 'Do not ask again for the same; ask the person what they want instead.',
  },
  'approval:session': {
    why: 'The person said no, and not to be asked again in this session.',
    instead: 'Do not ask again for the like.',
  },
  'approval:expired': {
    why: 'Nobody decided in time, and silence is no yes.',
    instead: 'Ask again when the person is there.',
  },
  'approval:withdrawn': {
    why: 'Who asked left before the person decided.',
    instead: 'Ask again.',
  },
  'approval:other-action': {
    why: 'An approval is for exactly the step that the person saw, under the rules of that time.',
    instead: 'Ask for this step.',
  },
  'approval:used': { why: 'An approval serves once.', instead: 'Ask again.' },
};

const GUARD: Refusal = {
  why: 'The guard keeps keys, system files and the machine itself out of reach. No level, grant or person lifts it.',
  instead: 'Leave the path or command out, or rephrase a text that only mentions it.',
};
const FAULT: Refusal = {
  why: 'Something failed, and an error never allows.',
  instead: 'Look at the health of the panel, then ask again.',
};

/** @param rule of the stage that ended the line @param blockedBy of the verdict, when there is one */
export function refusalOf(rule: string, blockedBy: string | null): Refusal {
  if (Object.hasOwn(BY_RULE, rule)) return BY_RULE[rule] ?? FAULT;
  return blockedBy === 'guard' ? GUARD : FAULT;
}
