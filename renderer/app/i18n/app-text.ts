import { en } from './en.ts';
import { defineStrings } from './i18n.ts';
import { it } from './it.ts';

/** The frame's own words. */
export const useAppText = defineStrings('app', { en, it });
