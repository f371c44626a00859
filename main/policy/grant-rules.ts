import type { NewGrant } from '../../shared/domain/grant.ts';
import { UserError } from '../engine/errors.ts';
import { formatInstant, parseInstant } from './dates.ts';
import { expandPath } from './glob.ts';
import { parseHost } from './host.ts';
import { isBroad, isWholeDisk, reachesForbiddenPlace } from './reach.ts';
import { capabilityNamed } from './registry.ts';

export interface GrantRulesWorld {
  /** Absolute path that `~` stands for. */
  home: string;
  /** Now, ms since the epoch. */
  now: number;
  /** The guard's answer for a text: the id of the forbidden path pattern in it, or null. */
  forbiddenPath(value: string, home: string): string | null;
}

/** As long as a path may be. */
const LONGEST = 4096;
/** The last second that our form of a date can write. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

/** What may be stored: checked, the expiry in the one form that we write. */
export interface CheckedGrant {
  channel: string;
  sender_id: string;
  capability: string;
  target: string;
  granted_at: string;
  expires_at: string | null;
  granted_by: string | null;
}

/**
 * The refusals of `recordGrant` (policy page, section 3).
 * @throws UserError `bad-input`, `refused` or `confirmation-needed`; `subject` is the field.
 */
export function checkNewGrant(grant: NewGrant, world: GrantRulesWorld): CheckedGrant {
  for (const field of ['channel', 'sender_id', 'capability', 'target'] as const) {
    const value: unknown = grant[field];
    if (typeof value !== 'string' || value.trim() === '') {
      throw new UserError('bad-input', `${field} is empty: say for whom and for what the grant is.`, field);
    }
    if (value.length > LONGEST)
      throw new UserError('bad-input', `${field} is longer than ${LONGEST} characters.`, field);
    if (value.includes('\0')) throw new UserError('bad-input', `${field} holds a NUL character.`, field);
  }
  checkCapability(grant.capability);
  checkTarget(grant, world);
  return {
    channel: grant.channel,
    sender_id: grant.sender_id,
    capability: grant.capability,
    target: grant.target,
    granted_at: formatInstant(world.now),
    expires_at: checkExpiry(grant.expires_at ?? null, world.now),
    granted_by: grant.granted_by || null,
  };
}

function checkCapability(name: string): void {
  const capability = capabilityNamed(name);
  if (capability === null) {
    throw new UserError('bad-input', `capability ${name} is not in the registry of thirteen.`, 'capability');
  }
  switch (capability.default_approval) {
    case 'per_target':
      return;
    case 'always':
      throw new UserError('refused', `capability ${name} asks every time: no grant is made for it.`, 'capability');
    case 'none':
      throw new UserError('refused', `capability ${name} never asks: it needs no grant.`, 'capability');
    default:
      capability.default_approval satisfies never;
  }
}

function checkTarget({ capability, target, confirmBroad }: NewGrant, world: GrantRulesWorld): void {
  switch (capabilityNamed(capability)?.target_kind) {
    case 'path_glob':
      checkPath(target, confirmBroad === true, world);
      return;
    case 'host':
      if (parseHost(target, true) !== null) return;
      throw new UserError(
        'bad-input',
        `target ${target} is no host: write example.com, *.example.com or example.com:8443.`,
        'target',
      );
    case 'none':
      if (target === '*') return;
      throw new UserError('bad-input', `target of ${capability} has to be *, not ${target}.`, 'target');
    default:
  }
}

function checkPath(target: string, confirmed: boolean, world: GrantRulesWorld): void {
  const path = expandPath(target, world.home);
  if (path === null) {
    throw new UserError('bad-input', `target ${target} has to begin with / or ~/, or it covers nothing.`, 'target');
  }
  const mentioned = world.forbiddenPath(target, world.home) ?? world.forbiddenPath(path, world.home);
  // All of the disk is a thing that a person can mean; the guard still stops each forbidden path in it.
  const reaches = !isWholeDisk(target, world.home) && reachesForbiddenPlace(target, world.home);
  if (mentioned !== null || reaches) {
    const why = mentioned === null ? 'could cover a forbidden path of the guard' : `is a forbidden path (${mentioned})`;
    throw new UserError(
      'refused',
      `target ${target} ${why}. Name a narrower folder; only * and ** are wildcards.`,
      'target',
    );
  }
  if (!confirmed && isBroad(target, world.home)) {
    throw new UserError(
      'confirmation-needed',
      `target ${target} covers the whole home folder or more. Confirm that this is meant, or name a folder.`,
      'target',
    );
  }
}

function checkExpiry(text: string | null, now: number): string | null {
  if (text === null) return null;
  const instant = parseInstant(text);
  if (instant === null || instant > LAST) {
    throw new UserError('bad-input', `expires_at ${text} is no date: write 2027-01-31T00:00:00Z.`, 'expires_at');
  }
  if (instant <= now) throw new UserError('refused', `expires_at ${text} is in the past.`, 'expires_at');
  return formatInstant(instant);
}
