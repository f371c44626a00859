import type { Language } from '../../app/i18n/i18n.ts';

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function numbers(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const found = formats.get(key);
  if (found) return found as Intl.NumberFormat;
  const made = new Intl.NumberFormat(language, options);
  formats.set(key, made);
  return made;
}

function dates(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const found = formats.get(key);
  if (found) return found as Intl.DateTimeFormat;
  const made = new Intl.DateTimeFormat(language, options);
  formats.set(key, made);
  return made;
}

/** A whole number with the language's own grouping, four digits too. */
export function formatCount(n: number, language: Language): string {
  return numbers(language, { useGrouping: 'always' }).format(n);
}

/** A share in [0, 1] as a percentage. What is not nothing is never shown as 0 %, nor what is not all as 100 %. */
export function formatShare(share: number, language: Language): string {
  const percent = (value: number, digits: number) =>
    numbers(language, { style: 'percent', maximumFractionDigits: digits }).format(value);
  if (share > 0 && share < 0.001) return `< ${percent(0.001, 1)}`;
  if (share < 1 && share > 0.999) return `> ${percent(0.999, 1)}`;
  return percent(share, share < 0.1 || share > 0.99 ? 1 : 0);
}

/** Start of a bucket (Unix seconds): the hour for hours, the day otherwise. */
export function formatBucket(start: number, step: 'hour' | 'day', language: Language): string {
  return dates(
    language,
    step === 'hour' ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { day: 'numeric', month: 'short' },
  ).format(start * 1000);
}

/** The same in full, for tables and for those who hear the chart. */
export function formatBucketFull(start: number, step: 'hour' | 'day', language: Language): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return dates(
    language,
    step === 'hour' ? { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : day,
  ).format(start * 1000);
}

/** Name of a month file, `2026-11` as "November 2026". */
export function formatMonth(month: string, language: Language): string {
  const [year, number] = month.split('-').map(Number);
  if (year === undefined || number === undefined) return month;
  return dates(language, { month: 'long', year: 'numeric' }).format(new Date(year, number - 1, 1));
}
