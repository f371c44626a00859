/**
 * What a step does, told by its executor's name and the keys of its args (pipeline page): the one table for executors
 * that neither the catalogue nor the request describes. Pure. What the table does not know is nothing harmless: it is null,
 * and the step is denied.
 */
import type { CapabilityName } from '../../shared/domain/capability.ts';
import type { Need } from '../engine/ask.ts';
import { type ArgTargets, argTargets } from './arg-targets.ts';

/** One English word for what is done; part of a card. */
export type Verb =
  | 'read'
  | 'find'
  | 'write'
  | 'move'
  | 'copy'
  | 'delete'
  | 'run'
  | 'fetch'
  | 'send'
  | 'compute'
  | 'use';

interface Rule {
  capability: CapabilityName;
  verb: Verb;
}

interface Row {
  /** Last words of the executor's name, singular or plural. */
  objects: readonly string[];
  /** First word of the executor's name -> what it does. */
  verbs: Readonly<Record<string, Rule>>;
}

const rule = (capability: CapabilityName, verb: Verb): Rule => ({ capability, verb });
const all = (names: string, made: Rule): Record<string, Rule> =>
  Object.fromEntries(names.split(' ').map((name) => [name, made]));

/** Derivation by verb and object. A verb that is not in the row of its object is not derived. */
export const TABLE: readonly Row[] = [
  {
    objects: ['file', 'dir', 'folder', 'directory', 'document', 'image', 'photo', 'path', 'notebook'],
    verbs: {
      ...all('read get describe open count compare hash stat classify compute', rule('fs:read', 'read')),
      ...all('find list search grep glob', rule('fs:read', 'find')),
      ...all('write create update edit append set save compress extract organize change', rule('fs:write', 'write')),
      ...all('move rename', rule('fs:write', 'move')),
      ...all('copy', rule('fs:write', 'copy')),
      ...all('delete remove', rule('fs:write', 'delete')),
    },
  },
  {
    objects: ['url', 'page', 'web', 'http', 'html', 'site', 'website', 'feed'],
    verbs: {
      ...all('read get fetch find list search open download', rule('network:http', 'fetch')),
      ...all('post send upload submit put', rule('network:http', 'send')),
    },
  },
  {
    objects: ['event', 'calendar', 'appointment'],
    verbs: all('read get find list describe', rule('calendar:read', 'read')),
  },
  {
    objects: ['message', 'mail', 'email', 'mailbox'],
    verbs: {
      ...all('read get find list search', rule('mail:read', 'read')),
      ...all('send reply forward', rule('mail:send', 'send')),
    },
  },
  {
    objects: ['notification', 'channel'],
    verbs: all('send post', rule('channel:out', 'send')),
  },
  {
    objects: ['now', 'time', 'clock', 'timezone'],
    verbs: all('get read', rule('time:read', 'read')),
  },
  {
    objects: ['command', 'exec', 'shell', 'bash', 'process', 'script', 'package'],
    verbs: all('run exec execute shell start kill create set install', rule('code:exec', 'run')),
  },
  {
    objects: ['number', 'value', 'list', 'entry', 'sum', 'text', 'row', 'table', 'json', 'csv'],
    verbs: all('compute sort group filter compare parse describe', rule('parse:local', 'compute')),
  },
];

/** Executors whose whole name says it. */
const NAMES: Readonly<Record<string, Rule>> = {
  shell_exec: rule('code:exec', 'run'),
  bash: rule('code:exec', 'run'),
  shell: rule('code:exec', 'run'),
  exec: rule('code:exec', 'run'),
};

/** Words that say that something is changed, run or sent, or that more is done than the first word says. */
const ACTS: ReadonlySet<string> = new Set([
  ...TABLE.flatMap(({ verbs }) => Object.entries(verbs))
    .filter(([, { verb }]) => ['write', 'move', 'copy', 'delete', 'run', 'send'].includes(verb))
    .map(([word]) => word),
  ...['and', 'then', 'or', 'erase', 'wipe', 'purge', 'destroy', 'overwrite', 'replace', 'truncate', 'publish', 'eval'],
]);

export interface Derived {
  needs: Need[];
  verb: Verb;
}

/** `known`: what the executor's name says it does, where the args do not say at what; no request can talk that away. */
export type Derivation = { derived: Derived } | { derived: null; why: string; known: Known | null };
export interface Known {
  capability: CapabilityName;
  /** The args name something that cannot be read; else they name nothing. */
  isUnreadable: boolean;
}

/** @returns the needs of the step, or why they cannot be told */
export function derive(executor: string, args: Record<string, unknown>): Derivation {
  const found = ruleOf(executor);
  const targets = argTargets(args, { fileKeys: found !== null && isFileRule(found) });
  if (found === null && targets.command === null) {
    const why = `nothing is known of an executor ${JSON.stringify(executor.slice(0, 100))}`;
    return { derived: null, why, known: null };
  }
  const made = found ?? rule('code:exec', 'run');
  const { capability } = made;
  if (targets.unreadable !== null) {
    const why = `the argument ${JSON.stringify(targets.unreadable)} names no target that can be read`;
    return { derived: null, why, known: { capability, isUnreadable: true } };
  }
  const needs = needsOf(made, targets);
  if (needs === null) {
    const why = `no argument says at what ${capability} is aimed`;
    return { derived: null, why, known: { capability, isUnreadable: false } };
  }
  // Whatever its name, what carries a command runs it, and what names a path or an address touches it.
  return { derived: { needs: [...needs, ...beside(made, targets)], verb: made.verb } };
}

function ruleOf(executor: string): Rule | null {
  const name = executor.toLowerCase();
  if (Object.hasOwn(NAMES, name)) return NAMES[name] ?? null;
  const words = name.split('_');
  const [verb, ...objects] = words;
  if (verb === undefined || objects.length === 0 || words.includes('')) return null;
  // `read_files_and_delete`: what is done besides is not in the row of its first two words.
  if (objects.slice(1).some((word) => ACTS.has(word))) return null;
  const row = ROW_OF.get(objects[0] ?? '');
  return row !== undefined && Object.hasOwn(row.verbs, verb) ? (row.verbs[verb] ?? null) : null;
}

/** The first row of each object, in both numbers. */
const ROW_OF: ReadonlyMap<string, Row> = new Map(
  TABLE.flatMap((row) =>
    row.objects.flatMap((object) => [object, plural(object)].map((word) => [word, row] as const)),
  ).reverse(),
);

function plural(word: string): string {
  if (word.endsWith('y')) return `${word.slice(0, -1)}ies`;
  return /(s|x|ch)$/.test(word) ? `${word}es` : `${word}s`;
}

function isFileRule({ capability }: Rule): boolean {
  return capability === 'fs:read' || capability === 'fs:write';
}

export const SOURCE_KEYS = ['src', 'source', 'sources', 'from', 'entries'] as const;
const SOURCES: ReadonlySet<string> = new Set(SOURCE_KEYS);
/** All calendars, all mailboxes: a step that names none of them may read each. */
const EVERYTHING = '*';

/** null: it has to have a target, and none is named. */
function needsOf({ capability, verb }: Rule, targets: ArgTargets): Need[] | null {
  switch (capability) {
    case 'fs:read':
    case 'fs:write': {
      const needs: Need[] = targets.paths.map(({ key, path }) => ({
        capability: verb === 'copy' && SOURCES.has(key.toLowerCase()) ? 'fs:read' : capability,
        target: verb === 'find' ? within(path) : path,
      }));
      if (targets.fromEarlierStep) needs.push({ capability, target: null });
      return needs.length === 0 ? null : needs;
    }
    case 'network:http':
      return targets.hosts.length === 0 ? null : targets.hosts.map((target) => ({ capability, target }));
    case 'code:exec':
      return targets.command === null ? null : [{ capability, target: targets.command }];
    case 'mail:send':
    case 'channel:out': {
      if (targets.recipients.length === 0) return null;
      const way = capability === 'mail:send' && targets.recipients.every(isChannelAddress) ? 'channel:out' : capability;
      return targets.recipients.map((target) => ({ capability: way, target }));
    }
    case 'mail:read':
    case 'calendar:read':
      return (targets.names.length === 0 ? [EVERYTHING] : targets.names).map((target) => ({ capability, target }));
    case 'time:read':
    case 'parse:local':
    case 'llm:local':
    case 'llm:online':
    case 'channel:in':
      return [{ capability, target: '*' }];
    default:
      return capability satisfies never;
  }
}

/** `telegram:anna`: a channel and somebody on it, and no mail address. */
function isChannelAddress(recipient: string): boolean {
  return /^[a-z][a-z0-9_-]*:[^@\s]+$/i.test(recipient) && !/^mailto:/i.test(recipient);
}

/** Looking for files reads all that lies below. */
function within(path: string): string {
  if (/\*/.test(path)) return path;
  return path.endsWith('/') ? `${path}**` : `${path}/**`;
}

/** What the args of an executor name that nobody knows but by its request's claim to do something harmless. */
export function besideClaim(capability: CapabilityName, args: Record<string, unknown>): Need[] {
  return beside({ capability }, argTargets(args, { fileKeys: false }));
}

/** What the args name beyond the executor's own business. */
function beside({ capability }: Pick<Rule, 'capability'>, targets: ArgTargets): Need[] {
  const needs: Need[] = [];
  if (capability !== 'code:exec' && targets.command !== null) {
    needs.push({ capability: 'code:exec', target: targets.command });
  }
  // A shell names paths and addresses in every other argument; they are part of the command that is asked for.
  if (capability === 'code:exec') return needs;
  if (capability !== 'fs:read' && capability !== 'fs:write') {
    // Something that is fetched may be stored there; something that is sent may be read from there.
    for (const { key, path } of targets.paths) {
      // A mailbox has folders of its own.
      if (capability === 'mail:read' && /^folders?$/i.test(key)) continue;
      needs.push({ capability: storesAt(capability), target: path });
    }
  }
  if (capability !== 'network:http')
    for (const host of targets.hosts) needs.push({ capability: 'network:http', target: host });
  return needs;
}

function storesAt(capability: CapabilityName): CapabilityName {
  return capability === 'network:http' ? 'fs:write' : 'fs:read';
}
