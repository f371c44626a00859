import { foldText } from '../../../shared/lib/text-match.ts';

/** How many of a kind the list shows; how many more there are is told beside them. */
export const SHOWN = 5;

export interface Hits<T> {
  shown: T[];
  total: number;
}

/**
 * Things that are looked through with each letter: folded once, however many letters are typed.
 *
 * @param textOf what a thing is found by
 * @returns the things that hold every word of a search, those whose text begins with it first, otherwise in their order
 */
export function createFinder<T>(things: readonly T[], textOf: (thing: T) => string): (search: string) => Hits<T> {
  const texts = things.map((thing) => foldText(textOf(thing)));
  return (search) => {
    const asked = foldText(search).trim();
    const words = asked.split(/\s+/).filter(Boolean);
    if (words.length === 0) return { shown: [], total: 0 };
    const first: T[] = [];
    const others: T[] = [];
    let total = 0;
    for (const [place, text] of texts.entries()) {
      if (!words.every((word) => text.includes(word))) continue;
      total++;
      const list = text.startsWith(asked) ? first : others;
      if (list.length < SHOWN) list.push(things[place] as T);
    }
    return { shown: [...first, ...others].slice(0, SHOWN), total };
  };
}
