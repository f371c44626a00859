/** A roll-up as it is stored (panel.db, `stats_hour`): numbers with commas between. */

/** @param text what and count in turn */
export function pairsOf(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  if (text === '') return pairs;
  const numbers = text.split(',');
  for (let n = 0; n + 1 < numbers.length; n += 2) pairs.set(Number(numbers[n]), Number(numbers[n + 1]));
  return pairs;
}

export function textOfPairs(pairs: ReadonlyMap<number, number>): string {
  let text = '';
  for (const [what, count] of pairs) text += `${text === '' ? '' : ','}${what},${count}`;
  return text;
}

export function binsOf(text: string): number[] {
  return text.split(',').map(Number);
}
