import type { VerdictRow } from '../../shared/domain/verdict.ts';
import { matchesText } from '../../shared/lib/text-match.ts';
import type { VerdictFilter } from '../../shared/rpc/audit.ts';

/** How the engine calls what a denied line does not name; a filter for it finds lines without the name, too. */
const UNKNOWN = 'unknown';

function names(value: string | null, asked: string | undefined): boolean {
  if (asked === undefined) return true;
  return value === asked || (asked === UNKNOWN && value === null);
}

/** As the bins of the statistics are counted: 0.7999999999999999 is 0.80 to everybody. */
const SLACK = 1e-9;

function scores(score: number | null, min: number | undefined, max: number | undefined): boolean {
  if (min === undefined && max === undefined) return true;
  if (score === null || (min !== undefined && score < min - SLACK)) return false;
  return max === undefined || (max >= 1 ? score <= max : score < max - SLACK);
}

/** Whether a row that arrives live belongs to what is shown: the same answer as the engine's own filter gives. */
export function matchesFilter(row: VerdictRow, filter: VerdictFilter): boolean {
  if (filter.outcome !== undefined && row.approved !== (filter.outcome === 'approved')) return false;
  // Only a denied line has a phase and a rule.
  if (row.approved && filter.rule !== undefined) return false;
  if (row.approved && filter.blocked_by === UNKNOWN) return false;
  if (!names(row.blocked_by, filter.blocked_by) || !names(row.rule, filter.rule)) return false;
  if (filter.executor !== undefined && row.executor !== filter.executor) return false;
  // A line without a time that can be believed stands where the engine puts it; live it is of now.
  if (row.ts !== null && filter.from_ts !== undefined && row.ts < filter.from_ts) return false;
  if (row.ts !== null && filter.to_ts !== undefined && row.ts >= filter.to_ts) return false;
  if (!scores(row.score, filter.min_score, filter.max_score)) return false;
  return filter.text === undefined || matchesText(filter.text, [row.intent, row.reason, row.executor]);
}
