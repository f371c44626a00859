/**
 * The seventeen (vaglio page, section 2). Code, not configuration: no setting, level, grant or person lifts them.
 * The text of a pattern is its id: it stands in the reason, where other programs read it.
 */
export const FORBIDDEN_PATHS = [
  String.raw`(^|/)\.ssh(/|$)`,
  '^/etc/(passwd|shadow|sudoers)',
  '^/etc/ssh(/|$)',
  '^/root(/|$)',
  '^/boot(/|$)',
  '^/sys(/|$)',
  '^/proc(/[0-9]|$)',
  '^/dev/(sd|nvme|mmcblk|loop)',
  String.raw`\.aws/credentials`,
  String.raw`\.config/[^/]+/credentials\.env`,
  String.raw`\.gnupg(/|$)`,
] as const;

export const DANGEROUS_SHELL = [
  String.raw`\brm\s+-rf?\s+/(\s|$)`,
  String.raw`\brm\s+-rf?\s+~(\s|$|/)`,
  String.raw`\bmkfs\b`,
  String.raw`\bdd\s+.*\bof=/dev/`,
  String.raw`:\s*\(\s*\)\s*\{\s*:\|:&\s*\}`,
  String.raw`\bchmod\s+-?R?\s*0?77[0-9]\s+/`,
] as const;

/** Where a rule matched; `rule` is its place in the list, `end` is exclusive, both in UTF-16 units. */
export interface Hit {
  rule: number;
  start: number;
  end: number;
}

/** UTF-16 unit at `index`, 0 beyond the end: no rule looks for a NUL, and a NaN would slow every comparison. */
export function unitAt(text: string, index: number): number {
  return index < text.length ? text.charCodeAt(index) : 0;
}

/** `$` of Python: the end, or before one final newline. */
export function atEnd(text: string, index: number): boolean {
  return index >= text.length || (index === text.length - 1 && text.charCodeAt(index) === 0x0a);
}

/** `(/|$)`: the index after the match, or -1. */
export function slashOrEnd(text: string, index: number): number {
  if (unitAt(text, index) === 0x2f) return index + 1;
  return atEnd(text, index) ? index : -1;
}

/** Does `word` stand at `index`? For words of a few characters, where `startsWith` costs more than it saves. */
export function standsAt(text: string, index: number, word: string): boolean {
  if (index + word.length > text.length) return false;
  for (let i = 0; i < word.length; i++) if (text.charCodeAt(index + i) !== word.charCodeAt(i)) return false;
  return true;
}
