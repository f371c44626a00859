import { expect, test } from 'vitest';
import { pieceOf } from './matched.logic.ts';

const args = { command: 'ls; rm -rf ~/x', paths: ['/a', { deep: '~/.ssh/id' }], 'odd.key': '/root/x' };

test.each([
  ['command', 4, 11, 'rm -rf ', { before: 'ls; ', text: 'rm -rf ', after: '~/x' }],
  ['paths[1].deep', 1, 6, '/.ssh', { before: '~', text: '/.ssh', after: '/id' }],
])('%s is shown inside its value', (path, start, end, text, expected) => {
  expect(pieceOf(args, { path, start, end, text })).toEqual(expected);
});

test.each([
  ['a value that was written out before it was searched', 'command', 'something else'],
  ['a path that leads nowhere', 'nothing.here[3]', '/.ssh'],
  ['a key with a dot in it', 'odd.key', '/root'],
  ['a path into the prototype', 'constructor', 'x'],
])('%s: the matched text alone', (_, path, text) => {
  expect(pieceOf(args, { path, start: 0, end: 5, text })).toEqual({ before: '', text, after: '' });
});

test('a long value is cut around the match', () => {
  const value = `${'a'.repeat(500)}HERE${'b'.repeat(500)}`;
  const piece = pieceOf({ v: value }, { path: 'v', start: 500, end: 504, text: 'HERE' });
  expect(piece).toEqual({ before: `…${'a'.repeat(80)}`, text: 'HERE', after: `${'b'.repeat(80)}…` });
});
