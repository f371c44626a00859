import { shortPlain } from '../../ui/foreign-text.logic.ts';

/** A grant in one line, for messages and for those who hear the page. */
export function nameOf(grant: { capability: string; target: string }): string {
  return shortPlain(`${grant.capability} ${grant.target}`);
}
