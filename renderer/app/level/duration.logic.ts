import { expiryOf } from '../grant-terms/expiry.logic.ts';

/** For how long a level can be raised. */
export const DURATIONS = ['always', 'hour', 'today', 'custom'] as const;
export type Duration = (typeof DURATIONS)[number];

export type DurationAnswer =
  | { ok: true; until_ms: number | null }
  | { ok: false; why: 'missing' | 'unreadable' | 'past' };

/**
 * When a rise ends, Unix ms; null = without end.
 * @param custom the text of a datetime-local input (local time)
 */
export function endOfRise(duration: Duration, custom: string, now: Date): DurationAnswer {
  const answer = expiryOf(duration === 'always' ? 'never' : duration, custom, now);
  if (!answer.ok) return answer;
  return { ok: true, until_ms: answer.expires_at === null ? null : Date.parse(answer.expires_at) };
}
