export const EXPIRY_PRESETS = ['hour', 'today', '7days', '30days', '2months', 'never', 'custom'] as const;
export type ExpiryPreset = (typeof EXPIRY_PRESETS)[number];

/** `YYYY-MM-DDTHH:MM:SSZ`, the one form we write (policy page, section 3). */
export function isoSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/**
 * The instant a preset stands for, null for never. Days and months are calendar ones in local time
 * (the same hour on another day); a day that a month lacks becomes its last one.
 */
export function presetExpiry(preset: Exclude<ExpiryPreset, 'custom'>, now: Date): Date | null {
  const at = new Date(now);
  switch (preset) {
    case 'hour':
      return new Date(now.getTime() + 3_600_000);
    case 'today':
      at.setHours(23, 59, 59, 0);
      return at;
    case '7days':
      at.setDate(at.getDate() + 7);
      return at;
    case '30days':
      at.setDate(at.getDate() + 30);
      return at;
    case '2months':
      return addMonths(now, 2);
    case 'never':
      return null;
  }
}

function addMonths(from: Date, months: number): Date {
  const at = new Date(from);
  at.setMonth(from.getMonth() + months);
  // The overflow of setMonth (31 December + 2 months = 3 March) is taken back to the month's last day.
  if (at.getDate() !== from.getDate()) at.setDate(0);
  return at;
}

export type ExpiryAnswer =
  | { ok: true; expires_at: string | null }
  | { ok: false; why: 'missing' | 'unreadable' | 'past' };

/**
 * What the form sends as `expires_at`.
 * @param custom the text of a datetime-local input (local time, no zone)
 */
export function expiryOf(preset: ExpiryPreset, custom: string, now: Date): ExpiryAnswer {
  if (preset !== 'custom') {
    const at = presetExpiry(preset, now);
    if (at === null) return { ok: true, expires_at: null };
    return at.getTime() > now.getTime() ? { ok: true, expires_at: isoSeconds(at) } : { ok: false, why: 'past' };
  }
  if (custom.trim() === '') return { ok: false, why: 'missing' };
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(custom)) return { ok: false, why: 'unreadable' };
  const at = new Date(custom);
  if (Number.isNaN(at.getTime())) return { ok: false, why: 'unreadable' };
  return at.getTime() > now.getTime() ? { ok: true, expires_at: isoSeconds(at) } : { ok: false, why: 'past' };
}

/** A local date-time in the form a datetime-local input takes. */
export function toLocalInput(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
