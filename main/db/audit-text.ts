import type { Statement } from 'better-sqlite3';
import { matchesWords, wordsOf } from '../../shared/lib/text-match.ts';
import type { Span } from './audit-rows.ts';
import type { Counted } from './audit-store.ts';
import { createAuditWords, searchedText } from './audit-words.ts';
import type { ReadDb, WriteDb } from './open.ts';

/**
 * Text search of the audit index (panel page, "Audit"). Intents, and reasons that do not repeat, are in a full-text
 * table by row; executors and reasons that repeat are few and looked through. A word has to be found at the
 * beginning of a word, so each is first looked up among the words that there are: the full-text table is quick
 * for whole words alone.
 */
export interface TextPlan {
  /** What the full-text table is asked for; null: the words may stand where it does not look. */
  match: string | null;
  /** For each word that stands nowhere but in what is kept once: its ids. All rows of these say the word. */
  kept: { says: number[]; executors: string[] }[];
  /** Whether a row says all the words. */
  says(row: { intent: string; reason: string; executor: string }): boolean;
}

export interface AuditText {
  /** To be asked while all rows are in the full-text table. */
  plan(text: string): TextPlan;
  /** False while rows are in no full-text table yet. */
  isComplete(): boolean;
  /** Newest first by seq: the highest seq at which a row of that time or before may lie. */
  seqOf(at: number): number;
  /** Latest time of the rows up to a seq. */
  latestUpTo(seq: number): number;
  take(counted: Counted | null): void;
  /** Texts came in by the thousand. */
  forget(): void;
  /** Reads what the first question would have to wait for. */
  warm(): void;
}

function oneOf(found: readonly string[], word: string): string {
  // No word begins so: nothing is found.
  return found.length === 0 ? `"${word}"` : `(${found.map((each) => `"${each}"`).join(' OR ')})`;
}

/** A beginning of more words than this is looked up as one beginning. */
const MOST_WORDS = 64;

export function createAuditText(db: ReadDb): AuditText {
  const words = createAuditWords(db);
  const behind = db
    .prepare("SELECT 1 FROM log_files WHERE last_seq > text_seq AND name NOT LIKE 'gone:%' LIMIT 1")
    .pluck();
  const allSpans = db.prepare('SELECT * FROM log_spans ORDER BY first_seq');
  let spans: { list: Span[]; latest: number[]; earliest: number[] } | null = null;

  const bounds = (): { list: Span[]; latest: number[]; earliest: number[] } => {
    if (spans !== null) return spans;
    const list = allSpans.all() as Span[];
    const latest: number[] = [];
    for (const span of list) latest.push(Math.max(latest.at(-1) ?? Number.NEGATIVE_INFINITY, span.max_at));
    const earliest = new Array<number>(list.length);
    let least = Number.POSITIVE_INFINITY;
    for (let n = list.length - 1; n >= 0; n--) {
      least = Math.min(least, list[n]?.min_at ?? least);
      earliest[n] = least;
    }
    spans = { list, latest, earliest };
    return spans;
  };

  return {
    plan(text) {
      const asked = [...new Set(wordsOf(text))];
      const kept: TextPlan['kept'] = [];
      const terms: string[] = [];
      for (const word of asked) {
        const known = words.keptWith(word);
        const isKept = known.says.length > 0 || known.executors.length > 0;
        const found = words.beginningWith(word, MOST_WORDS);
        if (!isKept) terms.push(found === null ? `"${word}"*` : oneOf(found, word));
        else if (found?.length === 0) kept.push(known);
      }
      const match = terms.length === 0 ? null : terms.join(' AND ');
      return { match, kept, says: ({ intent, reason, executor }) => matchesWords(asked, [intent, reason, executor]) };
    },
    isComplete: () => behind.get() === undefined,
    seqOf(at) {
      const { list, earliest } = bounds();
      let [low, high] = [0, list.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((earliest[middle] ?? 0) <= at) low = middle + 1;
        else high = middle;
      }
      return list[low - 1]?.last_seq ?? 0;
    },
    latestUpTo(seq) {
      const { list, latest } = bounds();
      let [low, high] = [0, list.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((list[middle]?.first_seq ?? 0) <= seq) low = middle + 1;
        else high = middle;
      }
      return latest[low - 1] ?? Number.NEGATIVE_INFINITY;
    },
    take(counted) {
      for (const each of counted?.texts ?? []) words.add(each);
      if (counted === null || spans === null) return;
      const last = spans.list.at(-1);
      const inOrder = counted.spans.every(({ first_seq }) => last === undefined || first_seq > last.last_seq);
      if (!inOrder) {
        spans = null;
        return;
      }
      for (const span of counted.spans) {
        spans.list.push(span);
        spans.latest.push(Math.max(spans.latest.at(-1) ?? Number.NEGATIVE_INFINITY, span.max_at));
        spans.earliest.push(span.min_at);
        // Rows that came late lie before times that were there already.
        for (let n = spans.earliest.length - 2; n >= 0 && (spans.earliest[n] ?? 0) > span.min_at; n--)
          spans.earliest[n] = span.min_at;
      }
    },
    forget: () => words.forget(),
    warm() {
      bounds();
      words.beginningWith('a', 1);
    },
  };
}

/**
 * Puts rows into the full-text table that are not in it, some at a time, the newest file first. Texts do not leave
 * the database on their way, but for those that have to be folded.
 * @returns how many were put in; 0 when all are
 */
export function indexSomeTexts(db: WriteDb, most: number): number {
  const statements = prepareFor(db);
  return db
    .transaction((): number => {
      const file = statements.behind.get() as { id: number; text_seq: number; last_seq: number } | undefined;
      if (file === undefined) return 0;
      const { changes } = statements.copy.run(file.text_seq, file.last_seq, file.id, most);
      const last = changes < most ? undefined : statements.last.get(file.text_seq, file.last_seq, file.id, most - 1);
      statements.upTo.run(last ?? file.last_seq, file.id);
      return Math.max(1, changes);
    })
    .immediate();
}

/**
 * Puts together a little of what text search has in pieces: each batch leaves one, and every search looks into all.
 * @returns false when nothing is left to do
 */
export function mergeSomeTexts(db: WriteDb): boolean {
  const { merge, changes } = prepareFor(db);
  const before = changes.get() as number;
  merge.run(PAGES_PER_MERGE);
  // One change is the command itself.
  return (changes.get() as number) - before > 1;
}

const counters = new WeakMap<ReadDb, Statement>();

/** How many rows are in no full-text table yet, counted roughly. */
export function textsLeft(db: ReadDb): number {
  let count = counters.get(db);
  if (count === undefined) {
    count = db
      .prepare(
        `SELECT coalesce(sum(min(verdicts, last_seq - text_seq)), 0) FROM log_files
        WHERE last_seq > text_seq AND name NOT LIKE 'gone:%'`,
      )
      .pluck();
    counters.set(db, count);
  }
  return count.get() as number;
}

/** So few that a line which comes meanwhile hardly waits. */
const PAGES_PER_MERGE = 16;
type Prepared = Record<'behind' | 'copy' | 'last' | 'upTo' | 'merge' | 'changes', Statement>;
const prepared = new WeakMap<WriteDb, Prepared>();

function prepareFor(db: WriteDb): Prepared {
  const known = prepared.get(db);
  if (known !== undefined) return known;
  db.function('searched', { deterministic: true }, (intent, reason) =>
    searchedText(intent as string, reason as string | null),
  );
  const toCome = 'FROM verdicts WHERE seq > ? AND seq <= ? AND file_id = ? ORDER BY seq LIMIT';
  const statements: Prepared = {
    behind: db.prepare(`SELECT id, text_seq, last_seq FROM log_files
      WHERE last_seq > text_seq AND name NOT LIKE 'gone:%' ORDER BY name DESC LIMIT 1`),
    // As `searchedText` has it: a text of ASCII stands as it is.
    copy: db.prepare(`INSERT INTO log_text (rowid, text) SELECT seq, CASE WHEN reason IS NULL
      AND octet_length(intent) = length(intent) THEN intent ELSE searched(intent, reason) END ${toCome} ?`),
    last: db.prepare(`SELECT seq ${toCome} 1 OFFSET ?`).pluck(),
    upTo: db.prepare('UPDATE log_files SET text_seq = ? WHERE id = ?'),
    merge: db.prepare("INSERT INTO log_text (log_text, rank) VALUES ('merge', ?)"),
    changes: db.prepare('SELECT total_changes()').pluck(),
  };
  prepared.set(db, statements);
  return statements;
}
