import type { DecideAnswer } from '../../shared/domain/decision.ts';

/** What an agent is told of a refusal: why, and what it can do instead. */
export function refusalText({ reason, refusal }: Pick<DecideAnswer, 'reason' | 'refusal'>): string {
  const why = reason.trim() === '' ? 'the call is denied' : reason.trim();
  // Both come over the socket: what is no text is left out.
  const instead = typeof refusal?.instead === 'string' ? refusal.instead.trim() : '';
  if (instead === '') return `Vaglio: ${why}`;
  return `Vaglio: ${why}${/[.!?]$/.test(why) ? '' : '.'} ${instead}`;
}
