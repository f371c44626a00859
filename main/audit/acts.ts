import type { Act } from '../../shared/domain/integrity.ts';
import { type ActSource, type ActsStore, actKey, type NewAct } from '../db/acts-store.ts';
import { digest } from './chain.ts';
import type { Difference } from './verify-file.ts';

/** Operator acts in the record (quality page, "The record"): taken from where they were done, each linked to the one before. */

const FIRST_LINK = digest('vaglio acts 1');

/** How far the chain of acts is known outside the database. */
export interface ActsHead {
  count: number;
  link: string;
}

/** Takes in what is not in the record yet. @returns how many that were */
export function takeActs(store: ActsStore, sources: readonly ActSource[]): number {
  const known = store.known();
  let { link } = actsHead(store);
  const found = sources.flatMap((source) => source.read().filter((act) => !known.has(actKey(act))));
  found.sort((a, b) => a.at - b.at);
  for (const act of found) {
    link = linkOf(link, act);
    store.add(act, link);
  }
  return found.length;
}

export function actsHead(store: ActsStore): ActsHead {
  const { count, link } = store.last();
  return { count, link: link ?? FIRST_LINK };
}

/**
 * Compares the acts in the record with their chain, with the head outside, and with what stands now where they were
 * done. Another program's source in which nothing stands any more is passed over: its file may be gone.
 * @param database name of the file that holds the record
 */
export function verifyActs(
  store: ActsStore,
  sources: readonly ActSource[],
  head: ActsHead | null,
  database: string,
): Difference[] {
  const found: Difference[] = [];
  /** @param now what stands there: an act in the record stays different for good */
  const say = (file: string, detail: string, now: string): void => {
    found.push({ kind: 'act', file, line: null, last_line: null, detail, seen: digest(now) });
  };
  const recorded = new Map<string, NewAct>();
  let link = FIRST_LINK;
  let count = 0;
  for (const { link: stored, ...act } of store.all()) {
    link = linkOf(link, act);
    count++;
    recorded.set(actKey(act), act);
    if (link !== stored) {
      say(database, `Act ${act.id} (${nameOf(act)}) was changed in the record, or one before it was taken out.`, link);
      // Those behind follow from what is stored: one that was altered hides no other.
      link = stored;
    }
    if (head?.count === count && head.link !== link)
      say(database, `The first ${count} acts do not lead to the head that is kept outside the database.`, link);
  }
  if (head !== null && head.count > count)
    say(database, `The record holds ${count} acts; ${head.count} were in it: the last ones were taken out.`, link);
  for (const source of sources) {
    const now = new Map(source.read().map((act) => [actKey(act), act]));
    if (now.size === 0 && !source.isOwn) continue;
    for (const [key, act] of recorded) {
      if (act.source !== source.name) continue;
      const stands = now.get(key);
      if (stands === undefined)
        say(source.name, `${nameOf(act)} is in the record and no longer in ${source.name}.`, 'gone');
      else if (factsOf(stands) !== factsOf(act))
        say(
          source.name,
          `${nameOf(act)} says something else in ${source.name} than in the record.`,
          `${factsOf(stands)}\n${factsOf(act)}`,
        );
    }
  }
  return found;
}

function nameOf({ kind, source_id }: Pick<Act, 'kind' | 'source_id'>): string {
  return `${kind} ${source_id}`;
}

function factsOf({ at, who, facts }: NewAct): string {
  const sorted = Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([at, who, sorted]);
}

function linkOf(previous: string, act: NewAct): string {
  return digest([previous, act.kind, act.source, act.source_id, factsOf(act)].join('\n'));
}
