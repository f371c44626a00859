import { defineStrings } from '../../app/i18n/i18n.ts';
export const useTryText = defineStrings('try', { en: { title: 'Try it' }, it: { title: 'Prova' } });
