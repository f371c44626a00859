import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** `,` as the scanner names it. */
const COMMA = 5;

/**
 * Edits of a JSON text with comments that leave every other byte as it is. The library's own edits format the lines
 * around them.
 */
export interface JsonEdit {
  /** The tree of a text without faults; its root is an object or a list. */
  text: string;
  root: Node;
}

/** @throws Error for a text with a fault */
export function editable(text: string): JsonEdit {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) throw new Error('the text is no JSON');
  return { text, root };
}

/** Where the comma behind a node stands, or null. */
function commaBehind(text: string, node: Node): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(node.offset + node.length);
  return scanner.scan() === COMMA ? scanner.getTokenOffset() : null;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** The end of what stands before this place, comments too. */
function contentEnd(text: string, before: number): number {
  return before - (/\s*$/.exec(text.slice(0, before))?.[0].length ?? 0);
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** As the file is written already. */
function formOf(text: string): { unit: string; eol: string } {
  return { unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Puts one more member at the end of an object or a list. @param key of the new member; null in a list */
export function appended({ text }: JsonEdit, container: Node, key: string | null, value: unknown): string {
  const { unit, eol } = formOf(text);
  const outer = indentAt(text, container.offset);
  const inner = outer + unit;
  const written = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${inner}`);
  const member = key === null ? written : `${JSON.stringify(key)}: ${written}`;
  const close = endOf(container) - 1;
  const last = container.children?.at(-1);
  const comma = last === undefined ? null : commaBehind(text, last);
  const at = contentEnd(text, close);
  const gap = text.slice(at, close);
  const before =
    last !== undefined && comma === null
      ? `${text.slice(0, endOf(last))},${text.slice(endOf(last), at)}`
      : text.slice(0, at);
  return [
    before,
    `${eol}${inner}${member}`,
    // A list with a comma at its end keeps one.
    comma === null ? '' : ',',
    gap.includes('\n') ? gap : `${eol}${outer}`,
    text.slice(close),
  ].join('');
}

/** Takes one member out of its object or list. @param member the property, or the element */
export function removed({ text }: JsonEdit, container: Node, member: Node): string {
  const siblings = container.children ?? [];
  const previous = siblings[siblings.indexOf(member) - 1];
  const own = commaBehind(text, member);
  const start = contentEnd(text, member.offset);
  const end = own === null ? endOf(member) : own + 1;
  const comma = own === null && previous !== undefined ? commaBehind(text, previous) : null;
  const head = comma === null ? text.slice(0, start) : `${text.slice(0, comma)}${text.slice(comma + 1, start)}`;
  const close = endOf(container) - 1;
  const isEmpty =
    siblings.length === 1 && /^\s*$/.test(text.slice(container.offset + 1, start) + text.slice(end, close));
  return isEmpty ? `${text.slice(0, container.offset + 1)}${text.slice(close)}` : `${head}${text.slice(end)}`;
}
