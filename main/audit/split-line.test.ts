import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitLine } from './split-line.ts';

const A = '{"approved": true, "reason": "a } { \\" \\\\", "executor": "a"}';
const B = '{"approved": false, "executor": "b", "args_keys": ["{\\"approved\\": true}"]}';

/** One word a piece: the executor, the event or the fault. */
function shape(line: string | Buffer): string[] {
  return splitLine(Buffer.from(line), 0).map(({ parsed }) =>
    parsed.kind === 'verdict' ? parsed.verdict.executor : parsed.kind === 'event' ? parsed.name : parsed.why,
  );
}

describe('the rows of one line', () => {
  test.each<[string, string | Buffer, string[]]>([
    ['one object', A, ['a']],
    ['white space and CR around', ` \t${A}\r`, ['a']],
    ['blank', ' \t\r', []],
    ['a byte order mark', `\ufeff${A}`, ['a']],
    ['a byte order mark alone', '\ufeff', []],
    ['two glued', A + B, ['a', 'b']],
    ['two glued with a space', `${A} ${B}`, ['a', 'b']],
    ['three glued, one of another kind', `${A}{"kind": "k"}${B}`, ['a', 'k', 'b']],
    ['the second half written', A + B.slice(0, 30), ['a', 'invalid-json']],
    ['torn, then a whole one', A.slice(0, 20) + B, ['invalid-json', 'b']],
    ['torn inside a text, then a whole one', A.slice(0, 35) + B, ['invalid-json', 'b']],
    ['torn, whole, torn', `${A.slice(0, 40)}${B}${A.slice(0, 10)}`, ['invalid-json', 'b', 'invalid-json']],
    ['NULs of a crash, then a whole one', `${'\0'.repeat(50)}${A}`, ['nul-bytes', 'a']],
    ['a whole one, then NULs', `${A}\0\0`, ['a', 'nul-bytes']],
    ['torn, NULs, a whole one', `${A.slice(0, 30)}\0\0\0${B}`, ['invalid-json', 'b']],
    ['NULs alone', '\0\0', ['nul-bytes']],
    ['no JSON', 'hello', ['invalid-json']],
    ['no object', '[1, 2]', ['not-object']],
    ['no UTF-8, but an object', Buffer.from('{"approved": true, "executor": "a\xff"}', 'latin1'), ['a\ufffd']],
  ])('%s', (_name, line, expected) => {
    expect(shape(line)).toEqual(expected);
  });

  test('each piece knows its bytes', () => {
    const line = Buffer.from(` ${A}\0\0${B} `);
    const pieces = splitLine(line, 1000);
    const texts = pieces.map(({ offset, length }) => line.toString('utf8', offset - 1000, offset - 1000 + length));
    expect(texts).toEqual([A, '\0\0', B]);
  });

  test('a line that begins again and again costs few looks', () => {
    const pieces = splitLine(Buffer.from('{"approved"'.repeat(100_000)), 0);
    expect(pieces.length).toBeLessThan(20);
    expect(pieces.every(({ parsed }) => parsed.kind === 'unreadable')).toBe(true);
  });

  test('any bytes: no exception, pieces in order without overlap, each whole row is JSON by itself', () => {
    const part = fc.oneof(
      fc.constantFrom(A, B, '\0', '{', '}', '"', '\\', '{"approved"', '\ufeff', ' ').map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const line = Buffer.concat(parts);
        let end = 0;
        for (const { offset, length, parsed } of splitLine(line, 0)) {
          expect(offset).toBeGreaterThanOrEqual(end);
          expect(length).toBeGreaterThan(0);
          end = offset + length;
          if (parsed.kind === 'verdict')
            expect(JSON.parse(line.toString('utf8', offset, end))).toHaveProperty('approved');
        }
        expect(end).toBeLessThanOrEqual(line.length);
      }),
    );
  });
});
