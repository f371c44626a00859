/** What a terminal would obey instead of show: control characters, and those that turn text around. */
const OBEYED = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

function written(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text from outside, made safe to print: what a terminal would obey is written as `\uXXXX`. */
export function printable(text: string): string {
  return text.replace(OBEYED, written);
}

/** One JSON object on one line; text from outside in it cannot steer the terminal, and `jq` reads it back. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}
