/**
 * What it means that a row says a text (panel page, "Audit": text search over intent and reason). One rule for
 * the index and for rows that arrive live. Pure.
 */

const WORD = /[\p{L}\p{N}]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
const ASCII = /^[\x00-\x7f]*$/;

/** Without regard to case and accents: `Perché` is `perche`. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The words of a text, folded: runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(WORD) ?? [];
}

/**
 * @param words that are looked for, as `wordsOf` gives them; none of them is in every text
 * @param texts of the row
 * @returns true when each of the words stands at the beginning of a word of one of the texts
 */
export function matchesWords(words: readonly string[], texts: readonly string[]): boolean {
  if (words.length === 0) return true;
  // Taking a text apart costs ten times as much as looking whether there is anything to find in it.
  const folded = texts.map(foldText);
  if (!words.every((word) => folded.some((text) => text.includes(word)))) return false;
  const said = folded.flatMap((text) => text.match(WORD) ?? []);
  return words.every((word) => said.some((each) => each.startsWith(word)));
}

/** @param asked the filter's text as a person typed it */
export function matchesText(asked: string, texts: readonly string[]): boolean {
  return matchesWords(wordsOf(asked), texts);
}

/** A text as text search keeps it: its words in order, folded. */
export function foldWords(text: string): string {
  // The full-text table takes a text of ASCII apart by the same rule.
  return ASCII.test(text) ? text : wordsOf(text).join(' ');
}
