import type { Act } from '../../../shared/domain/integrity.ts';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import type { AuditSearch } from '../../app/links.ts';

/** One line of the list. */
export type Entry = { kind: 'verdict'; row: VerdictRow } | { kind: 'act'; act: Act };

export function idOf(entry: Entry): string {
  return entry.kind === 'verdict' ? `verdict-${entry.row.seq}` : `act-${entry.act.id}`;
}

export interface Loaded {
  /** Newest first, as the engine gives them. */
  rows: readonly VerdictRow[];
  /** There are older verdicts that are not loaded. */
  rowsMore: boolean;
  acts: readonly Act[];
  actsMore: boolean;
}

/** What of the record is shown: an act passes no filter that is about verdicts. */
export function partsShown(search: AuditSearch): { verdicts: boolean; acts: boolean; hidden: boolean } {
  if (search.show === 'acts') return { verdicts: false, acts: true, hidden: false };
  if (search.show === 'verdicts') return { verdicts: true, acts: false, hidden: false };
  const { outcome, phase, rule, executor, min, max, text } = search;
  const about = [outcome, phase, rule, executor, min, max, text].some((each) => each !== undefined);
  return { verdicts: true, acts: !about, hidden: about };
}

/** What narrows the present view; a filter about verdicts narrows no acts. */
export function filtersOf({ show, row: _, act, from, to, ...rest }: AuditSearch): Partial<AuditSearch> {
  const narrowing = show === 'acts' ? { act, from, to } : { from, to, ...rest };
  return Object.fromEntries(Object.entries(narrowing).filter(([, value]) => value !== undefined));
}

/** How far down the acts have to be loaded, Unix seconds: to the oldest verdict that is shown, or to the end. */
export function reachOf({ rows, rowsMore }: Pick<Loaded, 'rows' | 'rowsMore'>): number {
  if (!rowsMore) return Number.NEGATIVE_INFINITY;
  return rows.findLast(({ ts }) => ts !== null)?.ts ?? Number.POSITIVE_INFINITY;
}

/**
 * Verdicts and acts by time, newest first. What lies behind the end of either half is left out until both are
 * loaded that far: a gap would look as if nothing had happened.
 */
export function interleave({ rows, rowsMore, acts, actsMore }: Loaded): Entry[] {
  const reach = reachOf({ rows, rowsMore });
  const known = acts.filter(({ at }) => at >= reach);
  const oldestAct = actsMore ? (acts.at(-1)?.at ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
  const entries: Entry[] = [];
  let next = 0;
  // A line without a readable time stands at the time of the line above it.
  let at = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (row.ts !== null) at = Math.min(at, row.ts);
    for (let act = known[next]; act !== undefined && act.at >= at; act = known[next]) {
      entries.push({ kind: 'act', act });
      next++;
    }
    if (at < oldestAct) return entries;
    entries.push({ kind: 'verdict', row });
  }
  for (const act of known.slice(next)) entries.push({ kind: 'act', act });
  return entries;
}
