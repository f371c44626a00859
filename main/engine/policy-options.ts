import { readFileSync } from 'node:fs';
import { CAPABILITY_NAMES } from '../../shared/domain/capability.ts';
import type { CostTiers } from '../policy/cost.ts';
import { type Overrides, parseOverrides } from '../policy/overrides.ts';
import type { RateLimit, RateLimits } from '../policy/rate-limit.ts';
import type { ConfigFile, ConfigKeys } from './config-file.ts';
import { UserError } from './errors.ts';

/**
 * What the person set beside the table (policy page, section 6). No limit is in force unless it is written:
 *
 *     policy:
 *       rate_limits:
 *         exceeded: approval_required      # or denied
 *         per_sender: {burst: 30, per_minute: 60}
 *         capabilities: {"network:http": {burst: 10, per_minute: 30}}
 *       cost: {ask_above: 0.05, deny_above: 1}
 *       stale_after_days: 90
 */
export interface PolicyOptions {
  rate: RateLimits | null;
  cost: CostTiers | null;
  /** Days without use after which a grant is suggested for revocation; null = as the suggestion itself has it. */
  staleAfterDays: number | null;
}

const POLICY = ['policy'];
const RATE = ['policy', 'rate_limits'];
const COST = ['policy', 'cost'];
const STALE = ['policy', 'stale_after_days'];
const MOST_CALLS = 1_000_000;
/** In whatever unit the prices of the requests are. */
const MOST_COST = 1_000_000;

/** @throws UserError `bad-input` naming file and line */
export function readPolicyOptions(file: ConfigFile): PolicyOptions {
  refuseOthers(file, POLICY, ['rate_limits', 'cost', 'stale_after_days']);
  return {
    rate: rateLimits(file),
    cost: costTiers(file),
    staleAfterDays: file.number(STALE, { min: 1, max: 36_500, integer: true }),
  };
}

/**
 * @param path of `policy_overrides.toml`; a missing file overrides nothing
 * @throws UserError `bad-input` naming file and line, or `unreadable`: what it forbids would be allowed without it
 */
export function loadOverrides(path: string): Overrides | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
    if (code === 'ENOENT') return null;
    const says = `${path} cannot be read (${code}). Nothing starts without the limits in it: make it readable, or move it away.`;
    throw new UserError('unreadable', says, path, { cause: error });
  }
  try {
    return parseOverrides(new TextDecoder('utf-8', { fatal: true }).decode(bytes), path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('bad-input', `${path} is not UTF-8 text. Save it as UTF-8.`, path, { cause: error });
  }
}

function rateLimits(file: ConfigFile): RateLimits | null {
  refuseOthers(file, RATE, ['exceeded', 'per_sender', 'capabilities']);
  const of = [...RATE, 'capabilities'];
  const capabilities: RateLimits['capabilities'] = {};
  for (const name of file.names(of)) {
    const capability = CAPABILITY_NAMES.find((known) => known === name);
    if (capability === undefined) throw file.error([...of, name], 'is not in the registry of thirteen capabilities');
    capabilities[capability] = rateLimit(file, [...of, name]);
  }
  const sender = [...RATE, 'per_sender'];
  const per_sender = file.names(sender).length > 0 ? rateLimit(file, sender) : null;
  const exceeded = file.choice([...RATE, 'exceeded'], ['approval_required', 'denied']) ?? 'approval_required';
  return per_sender === null && Object.keys(capabilities).length === 0 ? null : { capabilities, per_sender, exceeded };
}

function rateLimit(file: ConfigFile, keys: ConfigKeys): RateLimit {
  refuseOthers(file, keys, ['burst', 'per_minute']);
  return {
    burst: required(file, [...keys, 'burst'], { min: 1, max: MOST_CALLS }),
    per_minute: required(file, [...keys, 'per_minute'], { min: 0.001, max: MOST_CALLS }),
  };
}

function costTiers(file: ConfigFile): CostTiers | null {
  refuseOthers(file, COST, ['ask_above', 'deny_above']);
  if (file.names(COST).length === 0) return null;
  const deny_above = file.number([...COST, 'deny_above'], { min: 0, max: MOST_COST });
  const ask_above = file.number([...COST, 'ask_above'], { min: 0, max: MOST_COST }) ?? deny_above;
  if (ask_above === null) throw file.error(COST, 'has neither ask_above nor deny_above: give one, or take it out');
  return { ask_above, deny_above };
}

function required(file: ConfigFile, keys: ConfigKeys, range: { min: number; max: number }): number {
  const value = file.number(keys, range);
  if (value === null) throw file.error(keys, 'is missing: a rate limit has burst and per_minute');
  return value;
}

function refuseOthers(file: ConfigFile, keys: ConfigKeys, known: readonly string[]): void {
  const other = file.names(keys).find((name) => !known.includes(name));
  if (other !== undefined) {
    throw file.error([...keys, other], `is no setting of ${keys.at(-1)}: there are ${known.join(', ')}`);
  }
}
