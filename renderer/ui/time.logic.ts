import type { Language } from '../app/i18n/i18n.ts';

/** English with the day before the month, as in most of the world. */
const LOCALES: Record<Language, string> = { en: 'en-GB', it: 'it-IT' };

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.4375 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

const formats = new Map<string, Intl.RelativeTimeFormat | Intl.DateTimeFormat>();
function cached<F extends Intl.RelativeTimeFormat | Intl.DateTimeFormat>(key: string, make: () => F): F {
  const found = formats.get(key);
  if (found) return found as F;
  const made = make();
  formats.set(key, made);
  return made;
}

/** "3 minutes ago", "in 2 months". Both instants in ms since the epoch. */
export function relativeTime(ms: number, now: number, language: Language): string {
  const difference = ms - now;
  const format = cached(`rel ${language}`, () => new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto' }));
  for (const [unit, size] of STEPS) {
    if (Math.abs(difference) >= size) return format.format(Math.trunc(difference / size), unit);
  }
  return format.format(0, 'second');
}

/** Date and time to the second in the person's own zone, with the zone's name. */
export function exactTime(ms: number, language: Language): string {
  return cached(
    `exact ${language}`,
    () =>
      new Intl.DateTimeFormat(LOCALES[language], {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
        timeZoneName: 'short',
      }),
  ).format(ms);
}

/** The time of day alone, `14:03:22`, for instants of the same local day as `now`; otherwise with the date before it. */
export function clockTime(ms: number, now: number, language: Language): { day: string | null; time: string } {
  const time = cached(
    `clock ${language}`,
    () =>
      new Intl.DateTimeFormat(LOCALES[language], {
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
      }),
  ).format(ms);
  const at = new Date(ms);
  const today = new Date(now);
  if (at.toDateString() === today.toDateString()) return { day: null, time };
  const sameYear = at.getFullYear() === today.getFullYear();
  const day = cached(
    `day ${language} ${sameYear}`,
    () =>
      new Intl.DateTimeFormat(
        LOCALES[language],
        sameYear ? { day: 'numeric', month: 'short' } : { day: 'numeric', month: 'short', year: '2-digit' },
      ),
  ).format(ms);
  return { day, time };
}
