import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listen, makeTestLog, type TestLog, verdict, waitUntil } from './test-log.ts';

vi.setConfig({ testTimeout: 30_000 });

let log: TestLog;
beforeEach(() => {
  log = makeTestLog();
});
afterEach(() => log.end());

const MONTH = '2026-11.jsonl';
const line = (n: number): object => verdict({ intent: String(n), ts: 1796000000 + n });
const numbers = (rows: { intent: string }[]): number[] => rows.map(({ intent }) => Number(intent));
const upTo = (n: number, from = 0): number[] => Array.from({ length: n - from }, (_, i) => from + i);

describe('the live stream', () => {
  test('says at once how the index stands, then what is new and nothing else', async () => {
    log.append(MONTH, line(0), line(1));
    const audit = log.start();
    await log.settled(audit, 2);
    const live = listen(audit);
    await waitUntil(() => live.events.length > 0 || 'silent');
    expect(live.events[0]).toMatchObject({ rows: [], reset: false, index: { phase: 'following', lines: 2 } });
    for (const n of upTo(30, 2)) log.append(MONTH, line(n));
    await waitUntil(() => live.rows().length >= 28 || `${live.rows().length} rows`);
    expect(numbers(live.rows())).toEqual(upTo(30, 2));
    await live.stop();
  });

  test('goes on behind `after`: no row twice, none missing, however often the reader comes back', async () => {
    const audit = log.start();
    await log.settled(audit, 0);
    const seen: number[] = [];
    let after: number | undefined;
    let written = 0;
    const first = listen(audit);
    await waitUntil(() => first.events.length > 0 || 'silent');
    log.append(MONTH, line(written++));
    await waitUntil(() => first.rows().length > 0 || 'no row');
    seen.push(...numbers(first.rows()));
    after = first.rows().at(-1)?.seq;
    await first.stop();
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 20; n++) log.append(MONTH, line(written++));
      const live = listen(audit, after);
      for (let n = 0; n < 20; n++) log.append(MONTH, line(written++));
      await waitUntil(() => seen.length + live.rows().length >= written || `${live.rows().length} rows`);
      await live.stop();
      expect(live.events.some(({ reset }) => reset)).toBe(false);
      seen.push(...numbers(live.rows()));
      after = live.rows().at(-1)?.seq;
    }
    expect(seen).toEqual(upTo(written));
  });

  test('a slow reader gets fewer, larger events, and every row once', async () => {
    const audit = log.start();
    await log.settled(audit, 0);
    const abort = new AbortController();
    const events = audit.live({}, abort.signal)[Symbol.asyncIterator]();
    expect((await events.next()).value.rows).toEqual([]);
    log.append(MONTH, ...upTo(5000).map(line));
    await log.settled(audit, 5000);
    const sizes: number[] = [];
    const seen: number[] = [];
    while (seen.length < 5000) {
      const { value } = await events.next();
      if (value.rows.length > 0) sizes.push(value.rows.length);
      seen.push(...numbers(value.rows));
    }
    expect(seen).toEqual(upTo(5000));
    expect(sizes).toEqual([2000, 2000, 1000]);
    abort.abort();
    expect((await events.next()).done).toBe(true);
  });

  test('a reader that is ten thousand rows behind, or that counts by another index, is told to load again', async () => {
    log.append(MONTH, ...upTo(10_002).map(line));
    const audit = log.start();
    await log.settled(audit, 10_002);
    const oldest = (await audit.page({ limit: 1, filter: { to_ts: 1796000001 } })).rows[0]?.seq ?? 0;
    for (const after of [oldest, 5, oldest + 1e9]) {
      const live = listen(audit, after);
      await waitUntil(() => live.events.length > 0 || 'silent');
      expect(live.events[0], String(after - oldest)).toMatchObject({ rows: [], reset: true });
      log.append(MONTH, line(0));
      await waitUntil(() => live.rows().length === 1 || `${live.rows().length} rows`);
      await live.stop();
    }
    const near = listen(audit, oldest + 10);
    // Nine thousand behind are worth the way: the rows, with those three that came meanwhile.
    await waitUntil(() => near.rows().length >= 9_994 || `${near.rows().length} rows`);
    expect(numbers(near.rows())).toEqual([...upTo(10_002, 11), 0, 0, 0]);
    expect(near.events.some(({ reset }) => reset)).toBe(false);
    await near.stop();
  });

  test('rows that were given and are gone: told to load again, then on as ever', async () => {
    log.append(MONTH, line(0), line(1));
    const audit = log.start();
    await log.settled(audit, 2);
    const live = listen(audit);
    await waitUntil(() => live.events.length > 0 || 'silent');
    rmSync(log.file(MONTH));
    await waitUntil(() => live.events.some(({ reset }) => reset) || 'no reset');
    log.append(MONTH, line(7));
    await waitUntil(() => live.rows().length > 0 || 'no row');
    expect(numbers(live.rows())).toEqual([7]);
    await live.stop();
  });

  test('two readers do not disturb one another; one that stops while waiting ends', async () => {
    const audit = log.start();
    await log.settled(audit, 0);
    const one = listen(audit);
    const two = listen(audit);
    await waitUntil(() => (one.events.length > 0 && two.events.length > 0) || 'silent');
    await one.stop();
    log.append(MONTH, line(1));
    await waitUntil(() => two.rows().length === 1 || 'no row');
    expect(one.rows()).toEqual([]);
    await two.stop();
  });
});

describe('a worker that dies', () => {
  const write = (name: string, text: string): URL => {
    const path = join(log.root, name);
    writeFileSync(path, text);
    return pathToFileURL(path);
  };
  const real = new URL('./index.worker.ts', import.meta.url).href;

  test('is told, fails what it was asked, comes back by itself, and the stream goes on', async () => {
    log.append(MONTH, line(0));
    // The real worker, which besides ends itself when the raw line of seq 1 is asked for.
    const worker = write(
      'mortal.mjs',
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ op, input }) => { if (op === 'raw' && input.seq === 1) throw new Error('worker shot'); });
       await import(${JSON.stringify(real)});`,
    );
    const audit = log.start({ worker });
    await log.settled(audit, 1);
    const live = listen(audit);
    await waitUntil(() => live.events.length > 0 || 'silent');
    const asked = audit.raw({ seq: 1 });
    const meanwhile = audit.page({ limit: 1 });
    await expect(Promise.all([asked, meanwhile])).rejects.toMatchObject({ subject: 'audit index' });
    expect(audit.state()).toMatchObject({ phase: 'failed', problem: 'failed', detail: 'worker shot' });
    await expect(audit.page({ limit: 1 })).rejects.toThrowError('worker shot');
    log.append(MONTH, line(1));
    await log.settled(audit, 2);
    await waitUntil(() => live.rows().length > 0 || 'no row');
    expect(numbers(live.rows())).toEqual([1]);
    expect(live.events.some(({ index }) => index.phase === 'failed')).toBe(true);
    await live.stop();
  });

  test('that cannot even start is told, and close ends the attempts', async () => {
    const audit = log.start({ worker: write('broken.mjs', 'throw new Error("no start");') });
    await waitUntil(() => audit.state().phase === 'failed' || audit.state().phase);
    expect(audit.state().detail).toBe('no start');
    await audit.close();
    await expect(audit.page({ limit: 1 })).rejects.toMatchObject({ code: 'unreadable' });
  });
});
