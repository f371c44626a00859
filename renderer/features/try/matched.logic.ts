import type { Matched } from '../../../shared/domain/decision.ts';

/** A matched piece with what stands around it in the value that was sent. */
export interface MatchedPiece {
  before: string;
  text: string;
  after: string;
}

const AROUND = 80;

/** Follows `paths[0].name` into the args; undefined where it leads nowhere. */
function valueAt(args: unknown, path: string): unknown {
  let value = args;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const key = name ?? index ?? '';
    if (!Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/**
 * The match inside its value, when the value is there as it was sent; otherwise the matched text alone (a home
 * folder was written out, say, or a list was joined).
 */
export function pieceOf(args: unknown, matched: Matched): MatchedPiece {
  const value = valueAt(args, matched.path);
  const { start, end, text } = matched;
  if (typeof value !== 'string' || value.slice(start, end) !== text) return { before: '', text, after: '' };
  const from = Math.max(0, start - AROUND);
  return {
    before: (from > 0 ? '…' : '') + value.slice(from, start),
    text,
    after: value.slice(end, end + AROUND) + (value.length > end + AROUND ? '…' : ''),
  };
}
