import { expect, test } from 'vitest';
import { keyIsTaken, matchesWords } from './go.logic.ts';

test.each([
  ['Pages Statistics', 'stat', true],
  ['Tema: Scuro', 'scuro tema', true],
  ['Città', 'citta', true],
  ['Pages Live', 'grants', false],
  ['Pages Live', '', true],
])('%s found by "%s": %s', (label, search, expected) => {
  expect(matchesWords(label, search)).toBe(expected);
});

test('a digit typed into a field or a dialog goes nowhere', () => {
  document.body.innerHTML = '<input><div role="dialog"><button></button></div><main><div tabindex="0"></div></main>';
  expect(keyIsTaken(document.querySelector('input'))).toBe(true);
  expect(keyIsTaken(document.querySelector('[role=dialog] button'))).toBe(true);
  expect(keyIsTaken(document.querySelector('main div'))).toBe(false);
  expect(keyIsTaken(window)).toBe(false);
});
