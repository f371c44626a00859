import { parse, TomlError } from 'smol-toml';
import {
  AUTONOMY_LEVELS,
  type AutonomyLevel,
  type CapabilityName,
  type Outcome,
} from '../../shared/domain/capability.ts';
import { UserError } from '../engine/errors.ts';
import { capabilityNamed } from './registry.ts';
import { isStricter } from './strictness.ts';
import { tableOutcome } from './table.ts';

/**
 * `policy_overrides.toml` (policy page, section 6): outcomes that are stricter than the table's, for everybody or
 * for one profile. Pure: the text is an argument.
 *
 *     [[profile]]
 *     channel = "telegram"        # left out: any channel
 *     sender_id = "anna"          # left out: anybody
 *     [profile.any]               # at every level
 *     "network:http" = "denied"
 *     [profile.Full]              # at this level alone
 *     "fs:write" = "approval_required"
 */
export interface Profile {
  /** null = any. */
  channel: string | null;
  sender_id: string | null;
  outcomes: ReadonlyMap<'any' | AutonomyLevel, ReadonlyMap<CapabilityName, Outcome>>;
}

export type Overrides = readonly Profile[];

const WHO = ['name', 'channel', 'sender_id'] as const;
const WHERE = ['any', ...AUTONOMY_LEVELS] as const;
const LONGEST = 1_000_000;

/** The way to an entry of the parsed file, e.g. `profile`, 0, `any`, `fs:read`. */
type Way = readonly (string | number)[];

class Fault extends Error {
  readonly way: Way;
  constructor(way: Way, says: string) {
    super(says);
    this.way = way;
  }
}

/**
 * @param path of the file, for messages
 * @throws UserError `bad-input` naming file and line: no TOML, a name that is not known, an outcome that is laxer
 *   than the table's
 */
export function parseOverrides(text: string, path: string): Overrides {
  if (text.length > LONGEST) throw new UserError('bad-input', `${path} is longer than ${LONGEST} characters.`, path);
  try {
    return readProfiles(parse(text));
  } catch (error) {
    if (error instanceof TomlError) {
      const says = error.message.split('\n')[0];
      throw new UserError('bad-input', `${path}, line ${error.line}: ${says}. Mend it.`, path, { cause: error });
    }
    if (!(error instanceof Fault)) throw error;
    const message = `${path}, line ${lineOf(text, error.way)}: ${error.message}.`;
    throw new UserError('bad-input', message, path, { cause: error });
  }
}

/**
 * The strictest outcome that an override gives; null when none is for this call. A call that does not say who asks may
 * come from anybody, so what is for one sender is for it too.
 */
export function overrideOutcome(
  overrides: Overrides,
  call: {
    level: string;
    capability: string;
    channel?: string | null | undefined;
    sender_id?: string | null | undefined;
  },
): Outcome | null {
  let strictest: Outcome | null = null;
  for (const { channel, sender_id, outcomes } of overrides) {
    if (channel !== null && call.channel && call.channel !== channel) continue;
    if (sender_id !== null && call.sender_id && call.sender_id !== sender_id) continue;
    for (const where of ['any', call.level]) {
      const found = (outcomes as ReadonlyMap<string, ReadonlyMap<string, Outcome>>).get(where)?.get(call.capability);
      if (found !== undefined && (strictest === null || isStricter(found, strictest))) strictest = found;
    }
  }
  return strictest;
}

function readProfiles(file: Record<string, unknown>): Profile[] {
  for (const key of Object.keys(file)) {
    if (key !== 'profile') throw new Fault([key], `${key} is not known here: every override stands in a [[profile]]`);
  }
  const { profile = [] } = file;
  if (!Array.isArray(profile)) throw new Fault(['profile'], 'profile has to be a list: write [[profile]]');
  return profile.map((one: unknown, index) => readProfile(one, ['profile', index]));
}

function readProfile(profile: unknown, way: Way): Profile {
  if (!isTable(profile)) throw new Fault(way, 'a profile has to be a table: write [[profile]]');
  const known: readonly string[] = [...WHO, ...WHERE];
  const odd = Object.keys(profile).find((key) => !known.includes(key));
  if (odd !== undefined)
    throw new Fault([...way, odd], `${odd} is not known in a profile: there are ${known.join(', ')}`);
  const who = (key: (typeof WHO)[number]): string | null => {
    const value = profile[key];
    if (value === undefined) return null;
    if (typeof value === 'string' && value.trim() !== '') return value;
    throw new Fault([...way, key], `${key} has to be a text that is not empty`);
  };
  who('name');
  return {
    channel: who('channel'),
    sender_id: who('sender_id'),
    outcomes: new Map(WHERE.map((where) => [where, readOutcomes(profile[where], where, [...way, where])])),
  };
}

function readOutcomes(entries: unknown, where: 'any' | AutonomyLevel, way: Way): ReadonlyMap<CapabilityName, Outcome> {
  const outcomes = new Map<CapabilityName, Outcome>();
  if (entries === undefined) return outcomes;
  if (!isTable(entries)) throw new Fault(way, `${where} has to be a table of capabilities`);
  for (const [name, value] of Object.entries(entries)) {
    const here = [...way, name];
    const capability = capabilityNamed(name);
    if (capability === null) throw new Fault(here, `${name} is not in the registry of thirteen capabilities`);
    if (value !== 'approval_required' && value !== 'denied') {
      const why = value === 'allowed' ? 'an override may only make an outcome stricter' : 'this is no outcome';
      throw new Fault(here, `${name}: ${why}; write "approval_required" or "denied"`);
    }
    const table = where === 'any' ? null : tableOutcome(where, name);
    if (table !== null && isStricter(table, value)) {
      throw new Fault(here, `${name} is ${table} at ${where}: an override may only make an outcome stricter`);
    }
    outcomes.set(capability.name, value);
  }
  return outcomes;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/**
 * The line that completes an entry, counted from 1: that of the shortest beginning of the file that holds it. A
 * beginning that ends inside of a value is no TOML, and is passed over.
 */
function lineOf(text: string, way: Way): number {
  const lines = text.split('\n');
  for (let count = 1; count <= lines.length; count += 1) {
    let at: unknown;
    try {
      at = parse(lines.slice(0, count).join('\n'));
    } catch {
      continue;
    }
    for (const step of way)
      at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined;
    if (at !== undefined) return count;
  }
  return lines.length;
}
