/** What a terminal would obey instead of show: control characters, and those that turn text around. */
const OBEYED = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

function written(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text from outside, made safe to print and to export: what would be obeyed is written as `\uXXXX`. */
export function visible(text: string): string {
  return text.replace(OBEYED, written);
}
