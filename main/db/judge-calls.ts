import type { WriteDb } from './open.ts';
import { readSetting, writeSetting } from './settings.ts';

const KEY = 'judge_calls';
/** Days that are remembered: a clock that goes back finds what was spent. */
const DAYS = 7;

function spentByDay(text: string | null): Record<string, number> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])));
  } catch {
    return {};
  }
}

/**
 * Counts one call to the judge's model, in one transaction, so that several programs share the ceiling.
 * @param day `YYYY-MM-DD`
 * @returns false, and nothing is counted, when the day's calls are spent
 */
export function takeJudgeCall(db: WriteDb, { day, limit }: { day: string; limit: number }): boolean {
  const days = spentByDay(readSetting(db, KEY));
  const spent = Object.hasOwn(days, day) ? (days[day] ?? 0) : 0;
  if (spent >= limit) return false;
  const others = Object.entries(days).filter(([other]) => other !== day);
  others.sort(([a], [b]) => (a < b ? 1 : -1));
  writeSetting(db, KEY, JSON.stringify(Object.fromEntries([[day, spent + 1], ...others.slice(0, DAYS - 1)])));
  return true;
}
