import { beginningOf, foreignToPlain } from '../../ui/foreign-text.logic.ts';

/** A foreign text as one short line of plain text, with what cannot be seen made visible. */
export function shortPlain(foreign: string, limit = 80): string {
  const { text, left } = beginningOf(foreign, limit);
  return foreignToPlain(text) + (left > 0 ? '…' : '');
}

/** A grant in one line, for messages and for those who hear the page. */
export function nameOf(grant: { capability: string; target: string }): string {
  return shortPlain(`${grant.capability} ${grant.target}`);
}
