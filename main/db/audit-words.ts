import { foldWords, wordsOf } from '../../shared/lib/text-match.ts';
import type { ReadDb } from './open.ts';

/** Which words there are in the audit index, and where: few of them stand in many rows. */

/** What the full-text table holds of a row. @param reason only where it does not repeat */
export function searchedText(intent: string, reason: string | null): string {
  return foldWords(reason === null ? intent : `${intent} ${reason}`);
}

export interface AuditWords {
  /**
   * Words of the full-text table that begin so.
   * @returns null when there are more than `most`
   */
  beginningWith(word: string, most: number): string[] | null;
  /** What is kept once and has a word that begins so. */
  keptWith(word: string): { says: number[]; executors: string[] };
  /** Texts came in by the thousand: the words are to be read again. */
  forget(): void;
  /** One text came in. */
  add(text: string): void;
}

/** More are looked up in the database each time: they would fill the memory. */
const MOST_WORDS = 400_000;

export function createAuditWords(db: ReadDb): AuditWords {
  const all = db.prepare(`SELECT term FROM log_words LIMIT ${MOST_WORDS + 1}`).pluck();
  const some = db.prepare('SELECT term FROM log_words WHERE term >= ? AND term < ? LIMIT ?').pluck();
  const newSays = db.prepare('SELECT id, reason FROM log_says WHERE id > ? AND reason IS NOT NULL ORDER BY id').raw();
  const newWhats = db.prepare('SELECT id, executor FROM log_whats WHERE id > ? ORDER BY id').raw();
  let words: { sorted: string[]; more: Set<string>; tooMany: boolean } | null = null;
  const says: { id: number; words: string[] }[] = [];
  const executors = new Map<string, string[]>();
  let [lastSay, lastWhat] = [0, 0];

  const load = (): { sorted: string[]; more: Set<string>; tooMany: boolean } => {
    if (words !== null) return words;
    const sorted = all.all() as string[];
    const tooMany = sorted.length > MOST_WORDS;
    // In order of their bytes, as the database has them, is not the order of their characters.
    words = { sorted: tooMany ? [] : sorted.sort(), more: new Set(), tooMany };
    return words;
  };

  return {
    beginningWith(word, most) {
      const { sorted, more, tooMany } = load();
      if (tooMany) {
        const found = some.all(word, `${word}\u{10ffff}`, most + 1) as string[];
        return found.length > most ? null : found;
      }
      const found: string[] = [];
      for (let n = lowest(sorted, word); sorted[n]?.startsWith(word); n++) {
        found.push(sorted[n] as string);
        if (found.length > most) return null;
      }
      for (const each of more) if (each.startsWith(word)) found.push(each);
      return found.length > most ? null : found;
    },
    keptWith(word) {
      for (const [id, reason] of newSays.all(lastSay) as [number, string][]) {
        says.push({ id, words: wordsOf(reason) });
        lastSay = id;
      }
      for (const [id, executor] of newWhats.all(lastWhat) as [number, string][]) {
        if (!executors.has(executor)) executors.set(executor, wordsOf(executor));
        lastWhat = id;
      }
      const has = (list: string[]): boolean => list.some((each) => each.startsWith(word));
      return {
        says: says.filter((say) => has(say.words)).map(({ id }) => id),
        executors: [...executors].filter(([, list]) => has(list)).map(([name]) => name),
      };
    },
    forget() {
      words = null;
    },
    add(text) {
      if (words === null || words.tooMany) return;
      for (const word of wordsOf(text)) if (words.sorted[lowest(words.sorted, word)] !== word) words.more.add(word);
      // They are looked through one by one; to read all of them again from the database would keep a search waiting.
      if (words.more.size > 2000) {
        const sorted = [...words.sorted, ...words.more].sort();
        words = sorted.length > MOST_WORDS ? null : { sorted, more: new Set(), tooMany: false };
      }
    },
  };
}

/** @returns the place of the first text that is not before `word` */
function lowest(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
