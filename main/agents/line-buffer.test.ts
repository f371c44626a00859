import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineBuffer } from './line-buffer.ts';

const byte = fc.constantFrom(0x0a, 0x61, 0xe9);

test('lines are the same however the bytes arrive', () => {
  fc.assert(
    fc.property(fc.array(fc.array(byte, { maxLength: 6 })), (pieces) => {
      const buffer = createLineBuffer(1000);
      const got = pieces.flatMap((piece) => buffer.push(Buffer.from(piece)).lines);
      const expected = Buffer.from(pieces.flat()).toString('latin1').split('\n');
      const rest = expected.pop() as string;
      expect(got.map((line) => line.toString('latin1'))).toEqual(expected);
      expect(buffer.held()).toBe(rest.length);
      expect(buffer.rest().toString('latin1')).toBe(rest);
    }),
  );
});

test('the limit is met to the byte, in one piece or in many', () => {
  const push = (...pieces: string[]) => {
    const buffer = createLineBuffer(3);
    return pieces.map((piece) => buffer.push(Buffer.from(piece)));
  };
  expect(push('abc\n')[0]).toMatchObject({ tooLarge: false, lines: [Buffer.from('abc')] });
  expect(push('abcd\n')[0]).toEqual({ tooLarge: true, lines: [] });
  expect(push('ab', 'c').at(-1)?.tooLarge).toBe(false);
  expect(push('ab', 'cd').at(-1)?.tooLarge).toBe(true);
  expect(push('x\nabcd')[0]).toEqual({ tooLarge: true, lines: [Buffer.from('x')] });
});
