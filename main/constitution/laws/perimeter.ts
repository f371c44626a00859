import { expandPath, pathSegments } from '../../policy/glob.ts';
import { compileTarget, prepareTarget, targetCovers } from '../../policy/match.ts';
import { capabilityNamed } from '../../policy/registry.ts';
import { forbiddenPathMatch, guard } from '../../vaglio/guard.ts';
import { DANGEROUS_SHELL } from '../../vaglio/guard-rules.ts';
import { article, type JudgedAction, type LawFacts } from './article.ts';
import { stringsIn } from './strings.ts';

const SHELL_RULES: ReadonlySet<string> = new Set(DANGEROUS_SHELL);
/** Args that name whose things they are about. */
const OWNER_KEYS = ['owner_user_id', 'target_user_id', 'on_behalf_of'];
const HOMES = /(?:^|[\s"'=:(<>|;&,])\/(?:home|Users)\/([^/\s"']+)/g;
/** Under macOS everybody's. */
const SHARED = new Set(['Shared']);

function forbidden({ kind, targets, args, capability }: JudgedAction, { home, passwd }: LawFacts): string | null {
  const found = guard(kind, args, capability === undefined ? {} : { capability }, home, passwd);
  // What is dangerous in a shell is the next law's.
  if (found.blocked && !SHELL_RULES.has(found.rule)) return found.reason;
  for (const target of targets) {
    const rule = forbiddenPathMatch(target, home, passwd);
    if (rule !== null) return `guard: forbidden path violato: pattern '${rule}' in targets`;
  }
  return null;
}

function covered(target: string, pattern: string, capability: string | undefined, facts: LawFacts): boolean {
  const kind = (capability === undefined ? undefined : capabilityNamed(capability)?.target_kind) ?? 'path_glob';
  const kinds = kind === 'none' ? (['path_glob', 'host', 'exact'] as const) : ([kind, 'exact'] as const);
  return kinds.some((one) => targetCovers(compileTarget(one, pattern, facts), prepareTarget(one, target, facts)));
}

/** Text that can be held against a target: a path, a host, an address; not a sentence. */
const isPattern = (text: string): boolean => /^(?:\/|~)|^\S*[.@:*]\S*$/.test(text) && !/\s/.test(text);

function outsideScope(action: JudgedAction, facts: LawFacts): string | null {
  const { kind, targets, capability } = action;
  const declared = facts.declared(kind);
  if (declared !== null && capability !== undefined && !declared.some(({ name }) => name === capability)) {
    return `${kind} does not declare ${capability}`;
  }
  const own = action.ownScope.filter(isPattern);
  for (const target of targets) {
    if (declared !== null) {
      const mine = declared.filter(({ name }) => capability === undefined || name === capability);
      const isInside = mine.some(
        ({ name, hints = [] }) => hints.length === 0 || hints.some((hint) => covered(target, hint, name, facts)),
      );
      if (!isInside) return `a target lies outside what ${kind} declares: ${target}`;
    }
    if (own.length > 0 && !own.some((pattern) => covered(target, pattern, capability, facts))) {
      return `a target lies outside the scope that the action gives itself: ${target}`;
    }
  }
  return null;
}

function othersHome(text: string, { home, passwd }: LawFacts): string | null {
  const own = pathSegments(home);
  const user = /^~([^/]+)/.exec(text)?.[1];
  const folder = user === undefined ? null : passwd(user);
  if (folder !== null && pathSegments(folder).join('/') !== own.join('/')) return `~${user}`;
  for (const [, name = ''] of text.matchAll(HOMES)) {
    const isOwn = (own[0] === 'home' || own[0] === 'Users') && own[1] === name;
    if (!isOwn && !SHARED.has(name)) return `the home folder of ${name}`;
  }
  return null;
}

function anothers(action: JudgedAction, facts: LawFacts): string | null {
  for (const key of OWNER_KEYS) {
    const owner = Object.hasOwn(action.args, key) ? action.args[key] : undefined;
    if (owner === undefined || owner === null) continue;
    if (action.sender === null) return `${key} is given, but not for whom the action is (channel, sender_id)`;
    if (owner !== action.sender.sender_id) return `${key} is not the user that the action is done for`;
  }
  for (const text of [...action.targets.flatMap((target) => readings(target, facts)), ...stringsIn(action.args)]) {
    const whose = othersHome(text, facts);
    if (whose !== null) return `it is about another user's resources: ${whose}`;
  }
  return null;
}

/** A path by its text and by where it leads: `/home/me/../you`, and a link in one's own home. */
function readings(target: string, { home, realpath }: LawFacts): string[] {
  const path = expandPath(target, home);
  if (path === null) return [target];
  const plain = `/${pathSegments(path).join('/')}`;
  return [plain, realpath(path)];
}

/** What leads nobody knows where is not inside. */
function leadsNowhere({ targets }: JudgedAction, { home, realpath }: LawFacts): string | null {
  for (const target of targets) {
    const path = expandPath(target, home);
    if (path === null) continue;
    try {
      realpath(path);
    } catch {
      return `it cannot be told where a target leads: ${target}`;
    }
  }
  return null;
}

/** Law 0: what lies outside is not touched (constitution page, section 2). */
export const perimeter = article(
  'law.0.perimetro',
  (action, facts) =>
    forbidden(action, facts) ?? leadsNowhere(action, facts) ?? outsideScope(action, facts) ?? anothers(action, facts),
);
