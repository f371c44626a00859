import { defineStrings } from '../i18n/i18n.ts';

export const usePastText = defineStrings('past', {
  en: {
    lead: 'Under {{level}}, of the calls of the last 30 days:',
    'line.approval_required.allowed': '{{calls, number}} of {{total, number}} that asked would have passed.',
    'line.approval_required.denied': '{{calls, number}} of {{total, number}} that asked would have been denied.',
    'line.allowed.approval_required':
      '{{calls, number}} of {{total, number}} that passed would have asked, unless a grant covers them.',
    'line.allowed.denied': '{{calls, number}} of {{total, number}} that passed would have been denied.',
    'line.denied.allowed':
      '{{calls, number}} of {{total, number}} that the policy denied would have come to guard and judge, which have not seen them.',
    'line.denied.approval_required':
      '{{calls, number}} of {{total, number}} that the policy denied would have asked, unless a grant covers them or the guard blocks them.',
    same: 'The policy would have answered none of them otherwise.',
    guard: '0 of {{count, number}} guard blocks would have changed.',
    guardNone: '0 guard blocks would have changed: there were none.',
    none: 'No call of the last 30 days is kept that could be compared.',
    off: 'Kept calls are switched off (Settings, retention 0), so there is nothing to count.',
    since: 'Calls are kept since {{when}}.',
    noneYet: 'No call is kept yet.',
    what: 'Counted is what this engine decided and still keeps, for {{scope}}, each call by the strictest capability it needed. Grants as they were. Lines that another program wrote into the verdict log name neither level nor capability and are not among them.',
    unclear_one: '1 call ended by a rate limit, a fault or a caller who left: nothing is said of it.',
    unclear_other:
      '{{count, number}} calls ended by a rate limit, a fault or a caller who left: nothing is said of them.',
    loading: 'Counting past calls…',
    default: 'everyone without a pairing',
  },
  it: {
    lead: 'Con {{level}}, delle chiamate degli ultimi 30 giorni:',
    'line.approval_required.allowed': '{{calls, number}} su {{total, number}} che chiedevano sarebbero passate.',
    'line.approval_required.denied': '{{calls, number}} su {{total, number}} che chiedevano sarebbero state negate.',
    'line.allowed.approval_required':
      '{{calls, number}} su {{total, number}} passate avrebbero chiesto, se nessun permesso le copre.',
    'line.allowed.denied': '{{calls, number}} su {{total, number}} passate sarebbero state negate.',
    'line.denied.allowed':
      '{{calls, number}} su {{total, number}} negate dalla politica sarebbero arrivate a guardia e giudice, che non le hanno viste.',
    'line.denied.approval_required':
      '{{calls, number}} su {{total, number}} negate dalla politica avrebbero chiesto, se nessun permesso le copre e la guardia non le blocca.',
    same: 'La politica non avrebbe risposto diversamente a nessuna.',
    guard: '0 blocchi della guardia su {{count, number}} sarebbero cambiati.',
    guardNone: '0 blocchi della guardia sarebbero cambiati: non ce ne sono stati.',
    none: 'Non è conservata alcuna chiamata degli ultimi 30 giorni da confrontare.',
    off: 'Le chiamate non vengono conservate (Impostazioni, conservazione 0): non c’è nulla da contare.',
    since: 'Le chiamate sono conservate dal {{when}}.',
    noneYet: 'Nessuna chiamata è ancora conservata.',
    what: 'È contato ciò che questo motore ha deciso e conserva ancora, per {{scope}}, ogni chiamata secondo la capacità più severa che richiedeva. Permessi come erano allora. Le righe che un altro programma ha scritto nel registro dei verdetti non dicono né livello né capacità e non sono comprese.',
    unclear_one: '1 chiamata è finita per un limite, un guasto o chi chiedeva è andato via: non se ne dice nulla.',
    unclear_other:
      '{{count, number}} chiamate sono finite per un limite, un guasto o perché chi chiedeva è andato via: non se ne dice nulla.',
    loading: 'Conteggio delle chiamate passate…',
    default: 'chiunque non sia abbinato',
  },
});
