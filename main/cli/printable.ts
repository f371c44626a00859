import { visible } from '../../shared/lib/visible.ts';

/** Text from outside, made safe to print: what a terminal would obey is written as `\uXXXX`. */
export function printable(text: string): string {
  return visible(text);
}

/** One JSON object on one line; text from outside in it cannot steer the terminal, and `jq` reads it back. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}
