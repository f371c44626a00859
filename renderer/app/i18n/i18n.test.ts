import { renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import './app-text.ts';
import './problem-text.ts';
import '../approvals/strings.ts';
import '../level/strings.ts';
import '../line/strings.ts';
import '../../features/approvals/strings.ts';
import '../../features/try/strings.ts';
import '../../features/live/strings.ts';
import '../../verdicts/strings.ts';
import '../../features/matrix/strings.ts';
import '../../features/grants/strings.ts';
import '../../features/proposals/strings.ts';
import '../../features/statistics/strings.ts';
import '../../features/settings/strings.ts';
import '../../features/turns/strings.ts';
import '../../features/audit/strings.ts';
import '../../ui/strings.ts';
import { defineStrings, i18n, preferredLanguage } from './i18n.ts';

afterEach(() => i18n.changeLanguage('en'));

const english = i18n.services.resourceStore.data.en as Record<string, Record<string, string>>;
const values = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();

test.each(Object.keys(english))(
  '%s: both languages use the same values, and neither says nothing where the other speaks',
  (namespace) => {
    for (const [key, text] of Object.entries(english[namespace] ?? {})) {
      const italian: string = i18n.getResource('it', namespace, key);
      expect(italian === '', key).toBe(text === '');
      // "1 verdict" may leave the number out of its sentence.
      if (!key.endsWith('_one')) expect(values(italian), key).toEqual(values(text));
    }
  },
);

test('plurals hold for one, many and millions in Italian', async () => {
  const useText = defineStrings('plurals', {
    en: { rows_one: '1 row', rows_other: '{{count}} rows' },
    it: { rows_one: '1 riga', rows_other: '{{count}} righe' },
  });
  await i18n.changeLanguage('it');
  const { result } = renderHook(() => useText());
  expect(result.current('rows', { count: 1 })).toBe('1 riga');
  expect(result.current('rows', { count: 0 })).toBe('0 righe');
  expect(result.current('rows', { count: 1_000_000 })).toBe('1000000 righe');
});

test('values are put in as they are', () => {
  const useText = defineStrings('values', { en: { name: '“{{name}}”' }, it: { name: '«{{name}}»' } });
  const { result } = renderHook(() => useText());
  expect(result.current('name', { name: '<b>&$t(x)' })).toBe('“<b>&$t(x)”');
});

test.each([
  [['it-IT', 'en'], 'it'],
  [['de', 'it'], 'it'],
  [['en-GB', 'it'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
])('%j prefers %s', (languages, expected) => {
  expect(preferredLanguage(languages)).toBe(expected);
});
