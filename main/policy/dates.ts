/**
 * Dates of the grants file (policy page, section 3). We write one form; other programs write others, so
 * dates are compared as instants. `Date.parse` is of no use here: it takes "1" and reads a local time.
 */
const WRITTEN =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(?:Z|([+-])([0-9]{2}):?([0-9]{2}))?)?$/;

/**
 * @param text ISO 8601: a date alone (00:00 UTC of that day) or with a time, a fraction, an offset; UTC
 *   where it has none.
 * @returns ms since the epoch, or null for anything else, also for a day or an hour that does not exist.
 */
export function parseInstant(text: string): number | null {
  const match = WRITTEN.exec(text);
  if (match === null) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const offset = (part(9) * 60 + part(10)) * (match[8] === '-' ? -1 : 1);
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // An overflow (31 April) shows as another day.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  return date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
}

/** The one form that we write, `YYYY-MM-DDTHH:MM:SSZ`; fractions of a second are cut off. @param ms since the epoch */
export function formatInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** True when the expiry has been reached, or holds text that is no date. null = never expires. @param now ms */
export function isExpired(expiresAt: string | null, now: number): boolean {
  if (expiresAt === null) return false;
  const instant = parseInstant(expiresAt);
  return instant === null || instant <= now;
}
