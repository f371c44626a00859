import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from './lines.ts';

async function collect(chunks: Uint8Array[], maxBytes = 1000): Promise<(string | null)[]> {
  async function* input() {
    yield* chunks;
  }
  const found: (string | null)[] = [];
  for await (const lines of linesOf(input(), maxBytes)) {
    for (const line of lines) found.push(line === null ? null : line.toString('latin1'));
  }
  return found;
}

test('lines are the same however the bytes arrive', async () => {
  const byte = fc.constantFrom(0x0a, 0x0a, 0x61, 0xe9, 0x0d);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 5 }).chain((a) => fc.array(byte, { maxLength: a.length }))),
      async (pieces) => {
        const chunks = pieces.map((piece) => Uint8Array.from(piece));
        const text = Buffer.concat(chunks).toString('latin1');
        const expected = text.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(await collect(chunks)).toEqual(expected);
      },
    ),
  );
});

test('a line that is too long is passed over; the next one is read', async () => {
  const text = (value: string) => Buffer.from(value);
  expect(await collect([text('abc\nabcd\nx'), text('yz'), text('w'), text('vu\nab'), text('c\n')], 3)).toEqual([
    'abc',
    null,
    null,
    'abc',
  ]);
  expect(await collect([text('abcd')], 3)).toEqual([null]);
});
