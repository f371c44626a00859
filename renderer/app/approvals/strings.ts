import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { CAPABILITY_NAMES, type CapabilityName } from '../../../shared/domain/capability.ts';
import { defineStrings } from '../i18n/i18n.ts';

export const useCardText = defineStrings('card', {
  en: {
    'ask.fs:read': 'Let it read this?',
    'ask.fs:write': 'Let it write or change this?',
    'ask.code:exec': 'Let it run this command?',
    'ask.network:http': 'Let it contact this address?',
    'ask.llm:local': 'Let it ask a model on this machine?',
    'ask.llm:online': 'Let it ask an online model?',
    'ask.mail:read': 'Let it read this mailbox?',
    'ask.mail:send': 'Let it send this e-mail?',
    'ask.channel:in': 'Let it receive from this channel?',
    'ask.channel:out': 'Let it send this message?',
    'ask.time:read': 'Let it read the clock?',
    'ask.parse:local': 'Let it take this apart?',
    'ask.calendar:read': 'Let it read this calendar?',
    'ask.other': 'Let it do this?',
    left: '{{time}} left',
    leftLong: 'Runs out in {{time}}',
    over: 'Ran out',
    noTime: 'Unreadable time limit',
    'strip.title_one': '1 call waits for you',
    'strip.title_other': '{{count}} calls wait for you',
    'strip.decide': 'Decide',
    'strip.decideThis': 'Decide: {{what}}',
    'strip.more_one': 'and 1 more',
    'strip.more_other': 'and {{count}} more',
    'note.title_one': 'Vaglio: 1 call waits for you',
    'note.title_other': 'Vaglio: {{count}} calls wait for you',
    'note.body': '{{who}}: {{capability}}',
  },
  it: {
    'ask.fs:read': 'Può leggere questo?',
    'ask.fs:write': 'Può scrivere o cambiare questo?',
    'ask.code:exec': 'Può eseguire questo comando?',
    'ask.network:http': 'Può contattare questo indirizzo?',
    'ask.llm:local': 'Può interrogare un modello su questo computer?',
    'ask.llm:online': 'Può interrogare un modello online?',
    'ask.mail:read': 'Può leggere questa casella?',
    'ask.mail:send': 'Può inviare questa e-mail?',
    'ask.channel:in': 'Può ricevere da questo canale?',
    'ask.channel:out': 'Può inviare questo messaggio?',
    'ask.time:read': 'Può leggere l’ora?',
    'ask.parse:local': 'Può scomporre questo?',
    'ask.calendar:read': 'Può leggere questo calendario?',
    'ask.other': 'Può fare questo?',
    left: 'Restano {{time}}',
    leftLong: 'Scade fra {{time}}',
    over: 'Scaduta',
    noTime: 'Scadenza illeggibile',
    'strip.title_one': '1 chiamata ti aspetta',
    'strip.title_other': '{{count}} chiamate ti aspettano',
    'strip.decide': 'Decidi',
    'strip.decideThis': 'Decidi: {{what}}',
    'strip.more_one': 'e un’altra',
    'strip.more_other': 'e altre {{count}}',
    'note.title_one': 'Vaglio: 1 chiamata ti aspetta',
    'note.title_other': 'Vaglio: {{count}} chiamate ti aspettano',
    'note.body': '{{who}}: {{capability}}',
  },
});

/** The capability of the registry in a stored text such as `fs:write:~/Archivio/**`; null when there is none. */
export function capabilityIn(text: string): CapabilityName | null {
  return CAPABILITY_NAMES.find((name) => text === name || text.startsWith(`${name}:`)) ?? null;
}

/** Key of the card's first line. */
export function questionOf(card: Pick<ApprovalCard, 'capability'>): `ask.${CapabilityName}` | 'ask.other' {
  const name = capabilityIn(card.capability);
  return name === null ? 'ask.other' : `ask.${name}`;
}
