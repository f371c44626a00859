/** Times of log lines: which ones are believed, and where the local time zone puts hours and days. */

/** A `ts` outside these years is a slip (milliseconds, a clock at zero): shown in the line, not counted by. */
const EARLIEST = Date.UTC(2000, 0, 1) / 1000;
const LATEST = Date.UTC(2100, 0, 1) / 1000;

/** @param ts Unix seconds */
export function isBelievable(ts: number | null): ts is number {
  return ts !== null && ts >= EARLIEST && ts < LATEST;
}

/** A range that every believed time lies in. */
export const FOREVER = { from: 0, to: 1e11 };

/** Files of the verdict log (files page): a month each. */
export const MONTH_FILE = /^\d{4}-(?:0[1-9]|1[0-2])\.jsonl$/;

/** @param name of a month file, or `YYYY-MM` @returns Unix seconds of its first local midnight */
export function monthStart(name: string, plusMonths = 0): number {
  const start = new Date(2000, 0, 1);
  start.setFullYear(Number(name.slice(0, 4)), Number(name.slice(5, 7)) - 1 + plusMonths, 1);
  return start.getTime() / 1000;
}

/** @returns Unix seconds of the local midnight of the day that holds `at`, plus some days */
export function dayStart(at: number, plusDays = 0): number {
  const day = new Date(at * 1000);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + plusDays).getTime() / 1000;
}

/** @returns Unix seconds of the start of the local hour that holds `at` */
export function hourStart(at: number): number {
  const shift = new Date(at * 1000).getTimezoneOffset() * 60;
  return Math.floor((at - shift) / 3600) * 3600 + shift;
}

/** Width of a roll-up, seconds: an hour, or a quarter where local days do not begin at a full UTC hour. */
export function rollUpUnit(): number {
  for (let month = 0; month < 12 * 60; month++) {
    if (new Date(2000, month, 15).getTimezoneOffset() % 60 !== 0) return 900;
  }
  return 3600;
}
