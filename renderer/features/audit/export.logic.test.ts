import { expect, test } from 'vitest';
import { copyRows, type ExportProgress, exportName, exportUrl, type Sink } from './export.logic.ts';

function memory(options: { failAt?: number } = {}) {
  const chunks: string[] = [];
  const state = { closed: false, aborted: false };
  const sink: Sink = {
    async write(chunk) {
      if (options.failAt === chunks.length) throw new Error('disk full');
      chunks.push(new TextDecoder().decode(chunk));
    },
    async close() {
      state.closed = true;
    },
    async abort() {
      state.aborted = true;
    },
  };
  return { chunks, state, sink };
}

function answer(parts: readonly string[], headers: Record<string, string> = {}, status = 200): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  return new Response(body, { status, headers });
}

test('the address carries the filter by the names of the contract', () => {
  expect(exportUrl('csv', { executor: 'a b&c', min_score: 0.25, outcome: 'denied' })).toBe(
    '/export?format=csv&executor=a+b%26c&min_score=0.25&outcome=denied',
  );
  expect(exportName('jsonl', new Date(2026, 10, 3, 9, 5))).toBe('vaglio-audit-2026-11-03-0905.jsonl');
});

test('copies chunk by chunk and counts rows, not the head of a table', async () => {
  const { chunks, state, sink } = memory();
  const seen: ExportProgress[] = [];
  const parts = ['ts,intent\n1,a\n', '2,b\n3', ',c\n'];
  const done = await copyRows(answer(parts, { 'Vaglio-Rows': '3' }), sink, 'csv', (progress) => seen.push(progress));
  expect(chunks.join('')).toBe(parts.join(''));
  expect(done).toEqual({ rows: 3, bytes: 22, total: 3 });
  expect(seen.map(({ rows }) => rows)).toEqual([1, 2, 3]);
  expect(state).toEqual({ closed: true, aborted: false });
});

test.each<[string, Response, { failAt?: number }]>([
  ['an answer that is no export', answer(['{"a":1}\n'], {}, 401), {}],
  ['a stream that ends early', answer(['{"a":1}\n'], { 'Vaglio-Rows': '2' }), {}],
  ['a full disk', answer(['{"a":1}\n', '{"a":2}\n']), { failAt: 1 }],
])('%s leaves no file', async (_, response, options) => {
  const { state, sink } = memory(options);
  await expect(copyRows(response, sink, 'jsonl', () => undefined)).rejects.toThrow();
  expect(state).toEqual({ closed: false, aborted: true });
});
