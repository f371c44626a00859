import { UserError } from '../engine/errors.ts';

/** Threshold of the rule-based judge when none is set (vaglio page, section 3). */
export const DEFAULT_THRESHOLD = 0.3;

/**
 * Reads a threshold; nothing set is the default.
 * @param name the setting that holds `text`, for the error
 * @throws UserError (bad-input) when `text` is not a number in [0, 1]
 */
export function parseThreshold(text: string | undefined, name = 'METNOS_JUDGE_THRESHOLD'): number {
  if (text === undefined) return DEFAULT_THRESHOLD;
  const trimmed = text.trim();
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw new UserError('bad-input', `${name} is ${JSON.stringify(text)}: give a number from 0 to 1, or unset it.`, name);
}

/** `{:.2f}` of Python for a number in [0, 1]: an exact tie goes to the even digit, where `toFixed` goes up. */
export function twoDigits(value: number): string {
  if (value === 0.125) return '0.12';
  return value === 0.625 ? '0.62' : value.toFixed(2);
}
