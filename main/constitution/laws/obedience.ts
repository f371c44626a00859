import { AUTONOMY_LEVELS } from '../../../shared/domain/capability.ts';
import { article, type JudgedAction, type LawFacts } from './article.ts';
import { touches } from './places.ts';
import { stringsIn } from './strings.ts';

/** Args through which an action claims that something is allowed. */
const APPROVAL_KEYS = ['approval', 'approval_token', 'approved', 'approved_by'];
const GRANT_KEYS = ['grant', 'grant_id', 'granted'];
const LEVEL_KEYS = ['autonomy_level', 'level'];

const LOOKS = new Set([
  ...['read', 'get', 'list', 'find', 'show', 'describe', 'filter', 'classify', 'compute', 'compare', 'sort', 'group'],
  ...['check', 'count', 'search', 'explain', 'ask', 'request', 'propose', 'suggest'],
]);
const CHANGES = new Set([
  ...['set', 'change', 'update', 'write', 'edit', 'put', 'raise', 'lower', 'reset', 'delete', 'remove', 'save', 'add'],
  ...['make', 'create', 'give', 'sign', 'record', 'revoke', 'restore', 'renew', 'extend', 'resolve', 'reject', 'pair'],
  ...['approve', 'freeze', 'unfreeze', 'install', 'uninstall', 'enable', 'disable', 'switch', 'lift'],
]);
/** What the person decides about, and an agent does not. */
const OF_THE_PERSON = new Set([
  ...['autonomy', 'grant', 'grants', 'approval', 'approvals', 'pairing', 'pairings', 'approve', 'vaglio', 'telos'],
]);
/** Words that mean the panel's own only when nothing else stands beside them: `set_level`, not `set_water_level`. */
const ALONE = new Set([
  ...['level', 'levels', 'settings', 'setting', 'config', 'configuration', 'permissions', 'threshold', 'policy'],
  ...['guard', 'constitution', 'hook', 'hooks', 'panel', 'freeze', 'unfreeze', 'all', 'my', 'the'],
]);

const words = (kind: string): string[] =>
  kind
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** Commands of ours that change something. */
const OWN_COMMAND =
  /(?:^|[^\w-])vaglio(?:\.mjs)?["']?\s+(?:policy\s+(?:revoke|grant|record)|grants?|level|freeze|unfreeze|approve|approvals?|reject|settings|config|install|uninstall|telos|limits)(?:[^\w-]|$)/;

function claims(action: JudgedAction, facts: LawFacts): string | null {
  const { args, sender, capability } = action;
  const given = (keys: readonly string[]): [string, unknown][] =>
    keys.flatMap((key) => {
      const value = Object.hasOwn(args, key) ? args[key] : undefined;
      return value === undefined || value === null || value === false || value === '' ? [] : [[key, value]];
    });
  for (const [key, value] of given(APPROVAL_KEYS)) {
    if (typeof value !== 'string' || !facts.hasApproval(value)) return `${key} claims an approval that does not exist`;
  }
  for (const [key, value] of given(GRANT_KEYS)) {
    const id = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    if (id === '' || !facts.hasGrant({ id, sender, capability: capability ?? null })) {
      return `${key} claims a grant that does not exist`;
    }
  }
  for (const [key, value] of given(LEVEL_KEYS)) {
    const isExact = key === 'level';
    const claimed = AUTONOMY_LEVELS.findIndex((level) =>
      isExact ? level === value : level.toLowerCase() === String(value).toLowerCase(),
    );
    // Other things have levels too, and may be full.
    if (claimed < 0 && isExact) continue;
    if (claimed < 0 || claimed > AUTONOMY_LEVELS.indexOf(facts.levelInForce(sender))) {
      return `${key} claims an autonomy level that is not in force`;
    }
  }
  return null;
}

function changesTheRules(action: JudgedAction, facts: LawFacts): string | null {
  const parts = words(action.kind);
  const says = `${action.kind} would change what the person alone decides`;
  // `grants.list` and `list_grants`, but not `list_and_revoke_grants`.
  const isLook = [parts[0], parts.at(-1)].some((word) => word !== undefined && LOOKS.has(word));
  const looks = isLook && !parts.some((word) => CHANGES.has(word));
  if (!looks && parts.some((word) => OF_THE_PERSON.has(word))) return says;
  if (!looks && parts.some((word) => ALONE.has(word)) && parts.every((word) => ALONE.has(word) || CHANGES.has(word))) {
    return says;
  }
  const reads = action.capability === 'fs:read';
  for (const target of action.targets) {
    for (const place of facts.places.settings) {
      const touch = touches(target, place, facts.home, facts.realpath);
      if (touch !== null && !reads) return `it would change the panel's own settings: ${place.path}`;
    }
  }
  for (const text of [...action.targets, ...stringsIn(action.args)]) {
    if (OWN_COMMAND.test(text)) return 'it would run a command that changes what the person alone decides';
    const mention = facts.places.mentioned(text);
    if (mention?.of === 'settings' && !reads) return `it mentions the panel's own settings: ${mention.path}`;
  }
  return null;
}

function repeats({ flow, sameness }: JudgedAction, facts: LawFacts): string | null {
  if (flow !== 'proactive' || !facts.isUnwanted(sameness)) return null;
  return 'the person asked not to see this proposal again';
}

/** Law 2: the person decides, and what they decided holds (constitution page, section 2). */
export const obedience = article(
  'law.2.obbedienza',
  (action, facts) => claims(action, facts) ?? changesTheRules(action, facts) ?? repeats(action, facts),
);
