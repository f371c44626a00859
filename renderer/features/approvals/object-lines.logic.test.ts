import { expect, test } from 'vitest';
import { objectParts } from './object-lines.logic.ts';

test.each([
  ['no way', { object: 'a', from: null, to: null }, { object: 'a', from: null, to: null }],
  ['a move', { object: 'a\nb\nc/', from: 'a\nb', to: 'c/' }, { object: null, from: 'a\nb', to: 'c/' }],
  ['one file', { object: 'a', from: 'a', to: 'c/' }, { object: null, from: 'a', to: 'c/' }],
  ['something more', { object: 'a\nx', from: 'a', to: 'c/' }, { object: 'a\nx', from: 'a', to: 'c/' }],
  ['a target alone', { object: 'a', from: null, to: 'a' }, { object: 'a', from: null, to: 'a' }],
])('%s', (_, card, expected) => {
  expect(objectParts(card)).toEqual(expected);
});

test('whatever is named stands on the card', () => {
  for (const card of [
    { object: 'a\nb', from: 'a', to: null },
    { object: 'a', from: 'b', to: 'c' },
    { object: '', from: '', to: '' },
  ]) {
    const shown = Object.values(objectParts(card)).join('\n').split('\n');
    for (const line of card.object.split('\n')) expect(shown).toContain(line);
  }
});
