import { type ExpiryPreset, expiryOf } from '../../app/grant-terms/expiry.logic.ts';

/** How long "this and similar" may hold, shortest first. */
export const SIMILAR_PRESETS = ['hour', 'today', '7days', '30days', '2months', 'never'] as const;
export type SimilarPreset = (typeof SIMILAR_PRESETS)[number] & ExpiryPreset;

/** A week: long enough for a piece of work, short enough to be thought of again. */
export const FIRST_PRESET: SimilarPreset = '7days';

/** ISO instant at which the grant ends; null = never. "Today" in the day's last second is an hour instead of nothing. */
export function endOf(preset: SimilarPreset, now: Date): string | null {
  const answer = expiryOf(preset, '', now);
  if (answer.ok) return answer.expires_at;
  const hour = expiryOf('hour', '', now);
  return hour.ok ? hour.expires_at : null;
}

/** What stands between a pattern and its signature. */
export type Readiness = 'empty' | 'checking' | 'refused' | 'unconfirmed' | 'ready';

/** @param checked the engine's answer to this very pattern; null while it is on its way */
export function readiness(
  target: string,
  checked: { ok: boolean; needs_confirmation: boolean } | null,
  confirmed: boolean,
): Readiness {
  if (target.trim() === '') return 'empty';
  if (checked === null) return 'checking';
  if (checked.needs_confirmation) return confirmed ? 'ready' : 'unconfirmed';
  return checked.ok ? 'ready' : 'refused';
}
