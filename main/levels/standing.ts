import { AUTONOMY_LEVELS, type AutonomyLevel, autonomyLevelSchema } from '../../shared/domain/capability.ts';
import type { PairingView } from '../../shared/domain/level.ts';
import type { TimedLevel } from '../db/level-store.ts';
import type { PairingRow } from '../db/pairings.ts';

/** What counts when nothing better is known. */
export const STRICTEST: AutonomyLevel = 'ReadOnly';

/** An unknown text counts as ReadOnly. */
export function levelOf(stored: string): { level: AutonomyLevel; known: boolean } {
  const { success, data } = autonomyLevelSchema.safeParse(stored);
  return success ? { level: data, known: true } : { level: STRICTEST, known: false };
}

export function stricter(a: AutonomyLevel, b: AutonomyLevel): AutonomyLevel {
  return AUTONOMY_LEVELS.indexOf(a) <= AUTONOMY_LEVELS.indexOf(b) ? a : b;
}

/** The level that a stored text gives at `now` (ms), a rise for a limited time considered. */
export function levelAt(stored: string, timed: TimedLevel | null, now: number): AutonomyLevel {
  const { level } = levelOf(stored);
  return isDue(stored, timed, now) ? stricter(level, timed.falls_back_to) : level;
}

/** True when a rise that this text goes back to has run out. One that somebody changed since has no end of ours. */
export function isDue(stored: string, timed: TimedLevel | null, now: number): timed is TimedLevel {
  return timed !== null && timed.level === stored && timed.until_ms <= now;
}

/** A pairing as the panel shows it. @param frozen everything is ReadOnly, whatever the file says */
export function viewOf(row: PairingRow, timed: TimedLevel | null, now: number, frozen: boolean): PairingView {
  const { id, channel, sender_id, autonomy_level, revoked_at, paired_at, last_seen, display_name } = row;
  const isTimed = timed !== null && timed.level === autonomy_level && timed.until_ms > now;
  return {
    id,
    channel,
    sender_id,
    stored_level: autonomy_level,
    level: frozen ? STRICTEST : levelAt(autonomy_level, timed, now),
    known: levelOf(autonomy_level).known,
    revoked_at,
    paired_at,
    last_seen,
    display_name,
    timed: isTimed ? { until_ms: timed.until_ms, falls_back_to: timed.falls_back_to } : null,
  };
}
