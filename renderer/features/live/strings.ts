import { defineStrings } from '../../app/i18n/i18n.ts';

export const useLiveText = defineStrings('live', {
  en: {
    title: 'Live',
    pause: 'Pause',
    resume: 'Resume',
    space: 'Space',
    paused: 'Paused',
    flowing: 'Live',
    stopped: 'Not connected',
    newRows_one: '1 new verdict',
    newRows_other: '{{count}} new verdicts',
  },
  it: {
    title: 'Dal vivo',
    pause: 'Pausa',
    resume: 'Riprendi',
    space: 'Spazio',
    paused: 'In pausa',
    flowing: 'Dal vivo',
    stopped: 'Non connesso',
    newRows_one: '1 nuovo verdetto',
    newRows_other: '{{count}} nuovi verdetti',
  },
});
