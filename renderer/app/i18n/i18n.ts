import i18next from 'i18next';
import { useCallback } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';

export type Language = 'en' | 'it';

/** The Italian half of a set of strings: a missing key does not compile. */
export type WordsFor<T> = { readonly [K in keyof T]: string };

type PluralSuffix = 'zero' | 'one' | 'many' | 'other';
/** Keys as they are asked for: `rows_one` and `rows_other` are asked for as `rows`, with `count`. */
export type TextKey<T> = {
  [K in keyof T & string]: K extends `${infer Base}_${PluralSuffix}` ? Base : K;
}[keyof T & string];

export type Values = Record<string, string | number>;
export type Text<T> = (key: TextKey<T>, values?: Values) => string;

export const i18n = i18next.createInstance();
// Synchronous and without a network: everything is bundled, so the first paint already has its words.
void i18n.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  resources: {},
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/** Italian has a plural form for whole millions; we write it like the ordinary one. */
function withMillions(words: Record<string, string>): Record<string, string> {
  const all: Record<string, string> = { ...words };
  for (const [key, text] of Object.entries(words)) {
    if (key.endsWith('_other')) all[`${key.slice(0, -'other'.length)}many`] ??= text;
  }
  return all;
}

/**
 * Registers the strings of one page or part and gives the hook that reads them. Keys are flat
 * (`'filter.outcome'`); `{{name}}` is replaced by a value; plurals end in `_one` and `_other` and are
 * asked for without the ending, with `count`.
 */
export function defineStrings<T extends Record<string, string>>(
  namespace: string,
  words: { en: T; it: WordsFor<NoInfer<T>> },
): () => Text<T> {
  i18n.addResourceBundle('en', namespace, words.en);
  i18n.addResourceBundle('it', namespace, withMillions(words.it));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each set of strings, when its module loads
  return function useText() {
    const { t } = useTranslation(namespace, { i18n });
    return useCallback<Text<T>>((key, values) => t(key as string, { ...values }), [t]);
  };
}

/** The language in force, for dates and numbers. */
export function useLanguage(): Language {
  const { i18n: current } = useTranslation(undefined, { i18n });
  return current.resolvedLanguage === 'it' ? 'it' : 'en';
}

/** Italian where the browser prefers it, otherwise English. */
export function preferredLanguage(languages: readonly string[]): Language {
  for (const each of languages) {
    if (/^it\b/i.test(each)) return 'it';
    if (/^en\b/i.test(each)) return 'en';
  }
  return 'en';
}
