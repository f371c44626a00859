import { useCallback } from 'react';
import type { Problem } from '../../rpc/problem.ts';
import { defineStrings } from './i18n.ts';

const useText = defineStrings('problem', {
  en: {
    'bad-input.title': 'This was not accepted',
    'bad-input.advice': 'Correct what is named below and try again.',
    'not-found.title': 'It is no longer there',
    'not-found.advice': 'Another program may have changed it. Reload to see what is there now.',
    'refused.title': 'The engine refused this',
    'refused.advice': 'Nothing was changed. The reason stands below.',
    'confirmation-needed.title': 'What opens has changed',
    'confirmation-needed.advice': 'Nothing was changed. Look at what would open now and confirm again.',
    'locked.title': 'The file is in use',
    'locked.advice': 'Another program holds it. Try again in a moment.',
    'damaged.title': 'The file is damaged',
    'damaged.advice': 'Nothing was written to it. Restore it from a backup, or move it away to start afresh.',
    'unreadable.title': 'The file cannot be read',
    'unreadable.advice': 'Check that it exists and that you may read it.',
    'read-only.title': 'The file cannot be written',
    'read-only.advice': 'Check its permissions and the free space on the disk.',
    'newer.title': 'The file is from a newer Vaglio',
    'newer.advice': 'It is left as it is. Update Vaglio to write to it.',
    'conflict.title': 'Something else changed it first',
    'conflict.advice': 'Nothing was changed. Look at it again and decide.',
    'offline.title': 'No connection to the engine',
    'offline.advice': 'Nothing was changed. The panel keeps trying to reach it.',
    'internal.title': 'Something went wrong in Vaglio',
    'internal.advice': 'Nothing was allowed by this. The cause is in the output of the program.',
  },
  it: {
    'bad-input.title': 'Non è stato accettato',
    'bad-input.advice': 'Correggi quanto indicato sotto e riprova.',
    'not-found.title': 'Non c’è più',
    'not-found.advice': 'Un altro programma può averlo cambiato. Ricarica per vedere lo stato attuale.',
    'refused.title': 'Il motore ha rifiutato',
    'refused.advice': 'Nulla è cambiato. Il motivo è indicato sotto.',
    'confirmation-needed.title': 'Ciò che si apre è cambiato',
    'confirmation-needed.advice': 'Nulla è cambiato. Guarda che cosa si aprirebbe ora e conferma di nuovo.',
    'locked.title': 'Il file è in uso',
    'locked.advice': 'Un altro programma lo tiene aperto. Riprova tra poco.',
    'damaged.title': 'Il file è danneggiato',
    'damaged.advice': 'Non vi è stato scritto nulla. Ripristinalo da una copia, oppure spostalo per ripartire da zero.',
    'unreadable.title': 'Il file non si può leggere',
    'unreadable.advice': 'Controlla che esista e che tu possa leggerlo.',
    'read-only.title': 'Il file non si può scrivere',
    'read-only.advice': 'Controlla i permessi e lo spazio libero sul disco.',
    'newer.title': 'Il file viene da un Vaglio più recente',
    'newer.advice': 'Resta com’è. Aggiorna Vaglio per scriverlo.',
    'conflict.title': 'È stato cambiato nel frattempo',
    'conflict.advice': 'Nulla è cambiato. Guardalo di nuovo e decidi.',
    'offline.title': 'Il motore non risponde',
    'offline.advice': 'Nulla è cambiato. Il pannello continua a cercarlo.',
    'internal.title': 'Qualcosa è andato storto in Vaglio',
    'internal.advice': 'Nulla è stato consentito per questo. La causa è nell’output del programma.',
  },
});

const KNOWN = new Set([
  'bad-input',
  'not-found',
  'refused',
  'confirmation-needed',
  'locked',
  'damaged',
  'unreadable',
  'read-only',
  'newer',
  'conflict',
  'offline',
]);

export interface ProblemText {
  title: string;
  advice: string;
}

/** Title and advice for a problem, in the person's language; an unknown code reads as a fault of ours. */
export function useProblemText(): (problem: Problem) => ProblemText {
  const t = useText();
  return useCallback(
    (problem) => {
      const code = (KNOWN.has(problem.code) ? problem.code : 'internal') as 'locked';
      return { title: t(`${code}.title`), advice: t(`${code}.advice`) };
    },
    [t],
  );
}
