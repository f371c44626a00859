import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFault, RPC_ERRORS, readMessage, resultText } from './json-rpc.ts';

const read = (text: string | Buffer) => readMessage(Buffer.from(text), 3);
const call = { jsonrpc: '2.0', id: 1, method: 'ping' };

test.each([
  ['half a JSON', '{"jsonrpc":"2.0","id":1,', RPC_ERRORS.parse, null],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), RPC_ERRORS.parse, null],
  ['a bare text', '"ping"', RPC_ERRORS.invalidRequest, null],
  ['null', 'null', RPC_ERRORS.invalidRequest, null],
  ['an empty batch', '[]', RPC_ERRORS.invalidRequest, null],
  ['a batch that is too long', JSON.stringify([call, call, call, call]), RPC_ERRORS.invalidRequest, null],
  ['another protocol', '{"id":7,"method":"ping"}', RPC_ERRORS.invalidRequest, 7],
  ['no method', '{"jsonrpc":"2.0","id":"a"}', RPC_ERRORS.invalidRequest, 'a'],
  ['a method that is a list', '{"jsonrpc":"2.0","id":"a","method":["ping"]}', RPC_ERRORS.invalidRequest, 'a'],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', RPC_ERRORS.invalidRequest, null],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', RPC_ERRORS.invalidRequest, null],
  ['an id that is too long', JSON.stringify({ ...call, id: 'x'.repeat(201) }), RPC_ERRORS.invalidRequest, null],
])('%s is a fault with its code', (_, text, code, id) => {
  const message = read(text);
  expect(message).toMatchObject({ kind: 'single', item: { id, error: { code } } });
});

test('a fault never quotes what was sent', () => {
  expect(JSON.stringify(read('{"password": hunter2'))).not.toContain('hunter');
});

test('a request, a notification, a batch with a fault in it, and a blank line', () => {
  expect(read(JSON.stringify(call))).toEqual({ kind: 'single', item: { id: 1, method: 'ping', params: undefined } });
  expect(read('{"jsonrpc":"2.0","method":"cancel","params":{"id":"x"}}')).toEqual({
    kind: 'single',
    item: { id: undefined, method: 'cancel', params: { id: 'x' } },
  });
  const batch = read(JSON.stringify([call, 7]));
  expect(batch.kind === 'batch' && batch.items.map(isFault)).toEqual([false, true]);
  expect(read(' \r')).toEqual({ kind: 'blank' });
});

test('five million levels of nesting are refused, and nothing throws', () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(5_000_000)}`;
  expect(read(deep)).toMatchObject({ kind: 'single', item: { error: { code: RPC_ERRORS.parse } } });
});

test('whatever the bytes, it answers', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (bytes) => {
      const message = read(Buffer.from(bytes));
      expect(['blank', 'single', 'batch']).toContain(message.kind);
    }),
  );
});

test('an answer is one line, whatever it holds', () => {
  const text = resultText('a\nb', { reason: 'x\n\u2028y' });
  expect(text).not.toContain('\n');
  expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 'a\nb', result: { reason: 'x\n\u2028y' } });
});
