import { fork } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../db/open.ts';
import { guardBlock, makeTestLog, type TestLog, verdict, waitUntil } from './test-log.ts';

vi.setConfig({ testTimeout: 30_000 });

let log: TestLog;
beforeEach(() => {
  log = makeTestLog();
});
afterEach(() => log.end());

const intents = async (...args: Parameters<TestLog['rows']>): Promise<string[]> =>
  (await log.rows(...args)).map(({ intent }) => intent);
const MONTH = '2026-11.jsonl';

describe('following the folder', () => {
  test('a line appended by somebody is a row; the next month’s file too; other files are not the log', async () => {
    log.append(MONTH, verdict({ intent: 'one', ts: 1796000001 }));
    const audit = log.start();
    await log.settled(audit, 1);
    log.append(MONTH, verdict({ intent: 'two', ts: 1796000002 }));
    await log.settled(audit, 2);
    log.append('2026-12.jsonl', verdict({ intent: 'three', ts: 1796083201 }));
    for (const name of ['2026-13.jsonl', '2026-11.jsonl.bak', 'notes.jsonl', '2026-10.txt'])
      log.append(name, verdict());
    mkdirSync(log.file('2026-09.jsonl'));
    await log.settled(audit, 3);
    expect(await intents(audit)).toEqual(['three', 'two', 'one']);
    expect((await audit.stats({ range: 'all' })).months).toEqual(['2026-12', '2026-11']);
  });

  test('a folder that does not exist yet, nor its parents', async () => {
    rmSync(join(log.root, 'data'), { recursive: true });
    const audit = log.start();
    await waitUntil(() => audit.state().phase === 'following' || audit.state().phase);
    expect(audit.state()).toMatchObject({ problem: 'missing', files: 0 });
    expect(audit.state().detail).toContain(log.folder);
    mkdirSync(log.folder, { recursive: true });
    log.append(MONTH, verdict());
    await log.settled(audit, 1);
    expect(audit.state()).toMatchObject({ problem: null, detail: null });
  });

  test('a folder that is taken away keeps its rows, for it may only be unmounted; back again, they count once', async () => {
    log.append(MONTH, verdict({ intent: 'one' }));
    const audit = log.start();
    await log.settled(audit, 1);
    renameSync(log.folder, `${log.folder}-away`);
    await waitUntil(() => audit.state().problem === 'missing' || 'there');
    expect(await intents(audit)).toEqual(['one']);
    renameSync(`${log.folder}-away`, log.folder);
    log.append(MONTH, verdict({ intent: 'two', ts: 1796040001 }));
    await log.settled(audit, 2);
    expect(await intents(audit)).toEqual(['two', 'one']);
  });

  test('a file where the folder should be is told', async () => {
    rmSync(log.folder, { recursive: true });
    writeFileSync(log.folder, 'not a folder');
    const audit = log.start();
    await waitUntil(() => audit.state().problem !== null || 'no problem');
    expect(audit.state().problem).toBe('unreadable');
    expect(audit.state().detail).toContain(log.folder);
  });

  test('one month that cannot be read is named, the others are read', async () => {
    mkdirSync(log.file('2026-10.jsonl'));
    log.append(MONTH, verdict());
    const audit = log.start();
    await log.settled(audit, 1);
    expect(audit.state().problem).toBe('unreadable');
    expect(audit.state().detail).toContain(log.file('2026-10.jsonl'));
    rmSync(log.file('2026-10.jsonl'), { recursive: true });
    log.append(MONTH, verdict());
    await waitUntil(() => audit.state().problem === null || 'a problem');
  });

  test('a tail without its newline waits, and is one row when it is whole', async () => {
    const line = `${JSON.stringify(verdict({ intent: 'late' }))}\n`;
    log.append(MONTH, verdict({ intent: 'first', ts: 1795000000 }), line.slice(0, 40));
    const audit = log.start();
    await log.settled(audit, 1);
    log.append(MONTH, line.slice(40, 100));
    log.append(MONTH, line.slice(100));
    await log.settled(audit, 2);
    expect(await intents(audit)).toEqual(['late', 'first']);
    expect(audit.state().unreadable).toBe(0);
  });
});

describe('a file that is not what it was', () => {
  const three = [1, 2, 3].map((n) => `${JSON.stringify(verdict({ intent: `old ${n}`, ts: 1795000000 + n }))}\n`);

  const startWithThree = async (others = 0): Promise<ReturnType<TestLog['start']>> => {
    log.append(MONTH, ...three);
    const audit = log.start();
    await log.settled(audit, 3 + others);
    return audit;
  };

  test('cut in the middle of a line: the whole lines that are left', async () => {
    const audit = await startWithThree();
    truncateSync(log.file(MONTH), (three[0]?.length ?? 0) + 20);
    await log.settled(audit, 1);
    expect(await intents(audit)).toEqual(['old 1']);
  });

  test('cut to nothing and written again', async () => {
    const audit = await startWithThree();
    writeFileSync(log.file(MONTH), `${JSON.stringify(verdict({ intent: 'new' }))}\n`);
    await log.settled(audit, 1);
    expect(await intents(audit)).toEqual(['new']);
  });

  test('rewritten in place with more than before', async () => {
    const audit = await startWithThree();
    const before = statSync(log.file(MONTH)).ino;
    const lines = [1, 2, 3, 4].map((n) => `${JSON.stringify(verdict({ intent: `new ${n}`, ts: 1795000000 + n }))}\n`);
    writeFileSync(log.file(MONTH), lines.join(''));
    expect(statSync(log.file(MONTH)).ino).toBe(before);
    await log.settled(audit, 4);
    expect(await intents(audit)).toEqual(['new 4', 'new 3', 'new 2', 'new 1']);
  });

  test('replaced by another of the same size', async () => {
    const audit = await startWithThree();
    writeFileSync(join(log.root, 'other'), three.join('').replaceAll('old', 'new'));
    renameSync(join(log.root, 'other'), log.file(MONTH));
    await waitUntil(() => statSync(log.file(MONTH)).size === three.join('').length || 'other size');
    await expect.poll(() => intents(audit), { timeout: 10_000 }).toEqual(['new 3', 'new 2', 'new 1']);
  });

  test('deleted: its rows are gone, a new one of that name is read', async () => {
    log.append('2026-10.jsonl', verdict({ intent: 'kept', ts: 1793000000 }));
    const audit = await startWithThree(1);
    rmSync(log.file(MONTH));
    await log.settled(audit, 1);
    expect(await intents(audit)).toEqual(['kept']);
    expect((await audit.stats({ range: 'all' })).total).toBe(1);
    log.append(MONTH, verdict({ intent: 'again' }));
    await log.settled(audit, 2);
    expect(await intents(audit)).toEqual(['again', 'kept']);
  });

  test('changed while nobody looked, between two runs', async () => {
    const audit = await startWithThree();
    await audit.close();
    writeFileSync(log.file(MONTH), three.join('').replace('old 2', 'OLD 2').replace('old 3', 'OLD 3'));
    const again = log.start();
    await log.settled(again, 3);
    expect(await intents(again)).toEqual(['OLD 3', 'OLD 2', 'old 1']);
  });
});

describe('the index', () => {
  test('a second run goes on where the first stopped and reads nothing twice', async () => {
    log.append(MONTH, verdict({ intent: 'one' }), 'torn\n', verdict({ intent: 'two' }), verdict({ intent: 'three' }));
    const first = log.start();
    await log.settled(first, 4);
    const before = await log.rows(first);
    await first.close();
    // Between the first line and the last bytes, which are looked at, nothing is read again: this goes unseen here.
    const bytes = readFileSync(log.file(MONTH), 'utf8');
    writeFileSync(log.file(MONTH), bytes.replace('two', 'TWO'));
    log.append(MONTH, verdict({ intent: 'four', ts: 1796050000 }));
    const again = log.start();
    await log.settled(again, 5);
    const [newest, ...rest] = await log.rows(again);
    expect(newest).toMatchObject({ intent: 'four', offset: Buffer.byteLength(bytes) });
    expect(rest).toEqual(before);
    expect(again.state()).toMatchObject({
      unreadable: 1,
      unreadable_at: [{ file: MONTH, line: 2, why: 'invalid-json' }],
    });
  });

  test('two programs that write at once: every line once', async () => {
    const audit = log.start();
    const script = join(log.root, 'writer.mjs');
    writeFileSync(
      script,
      `import { openSync, writeSync } from 'node:fs';
       const [file, who] = process.argv.slice(2);
       const fd = openSync(file, 'a');
       for (let n = 0; n < 5000; n++) {
         writeSync(fd, JSON.stringify({ approved: true, ts: 1796000000 + n, executor: who, intent: who + n }) + '\\n');
       }`,
    );
    const ended = ['a', 'b'].map(
      (who) =>
        new Promise<number | null>((resolve) => {
          fork(script, [log.file(MONTH), who]).on('exit', resolve);
        }),
    );
    expect(await Promise.all(ended)).toEqual([0, 0]);
    await log.settled(audit, 10_000);
    const seen = new Set<string>();
    let before: number | undefined;
    for (let more = true; more; ) {
      const page = await audit.page(before === undefined ? { limit: 500 } : { limit: 500, before });
      for (const { intent } of page.rows) {
        expect(seen.has(intent)).toBe(false);
        seen.add(intent);
      }
      before = page.rows.at(-1)?.seq;
      more = page.more;
    }
    expect(seen.size).toBe(10_000);
    expect(await audit.verify({})).toMatchObject({ state: 'verified', lines: 10_000, findings: [] });
    expect((await audit.stats({ range: 'all' })).by_executor.map(({ total }) => total)).toEqual([5000, 5000]);
  });

  test('a backlog: newest month first, with progress, then words; seqs grow with the months all the same', async () => {
    const fill = (name: string, from: number): void => {
      const lines = Array.from({ length: 9000 }, (_, n) => verdict({ intent: `word${n % 50} ${name}`, ts: from + n }));
      log.append(name, ...lines);
    };
    fill('2026-09.jsonl', 1788300000);
    fill('2026-10.jsonl', 1791000000);
    fill(MONTH, 1795000000);
    const audit = log.start();
    const seen: string[] = [];
    const files: number[] = [];
    await waitUntil(() => {
      const { progress, phase, lines } = audit.state();
      if (progress !== undefined && seen.at(-1) !== progress.stage) seen.push(progress.stage);
      if (progress?.stage === 'rows') files.push(progress.files_done);
      return (phase === 'following' && progress === undefined && lines === 27_000) || `${phase} ${lines}`;
    });
    expect(seen.at(-1)).toBe('text');
    expect(files.every((done) => done <= 3)).toBe(true);
    const [newest] = (await audit.page({ limit: 1 })).rows;
    const [older] = (await audit.page({ limit: 1, filter: { to_ts: 1793000000 } })).rows;
    expect([newest?.file, older?.file]).toEqual([MONTH, '2026-10.jsonl']);
    expect(newest?.seq).toBeGreaterThan(older?.seq ?? 0);
    expect((await audit.page({ limit: 500, filter: { text: 'word49 2026 09' } })).rows).toHaveLength(180);
    expect(await audit.verify({})).toMatchObject({ state: 'verified', lines: 27_000 });
    // What comes then is the newest by seq as well, so that a reader of the stream gets it.
    log.append('2026-10.jsonl', verdict({ intent: 'late', ts: 1791500000 }));
    await log.settled(audit, 27_001);
    const [late] = (await audit.page({ limit: 1, filter: { text: 'late' } })).rows;
    expect(late?.seq).toBeGreaterThan(newest?.seq ?? 0);
  });

  test('newest month first, so that a long history does not keep what just happened waiting', async () => {
    log.append('2026-09.jsonl', verdict({ ts: 1789000000 }));
    log.append(MONTH, verdict({ ts: 1796000000 }));
    const audit = log.start();
    await log.settled(audit, 2);
    const [newest, oldest] = await log.rows(audit);
    expect(newest?.file).toBe(MONTH);
    expect(newest?.seq).toBeLessThan(oldest?.seq ?? 0);
  });

  test('panel.db taken away while running: built again, with other seqs', async () => {
    log.append(MONTH, verdict({ intent: 'one' }));
    const audit = log.start();
    await log.settled(audit, 1);
    for (const end of ['', '-wal', '-shm']) rmSync(log.panelDb + end, { force: true });
    log.append(MONTH, verdict({ intent: 'two', ts: 1796040001 }));
    await waitUntil(() => statSync(log.panelDb, { throwIfNoEntry: false }) !== undefined || 'no panel.db');
    await log.settled(audit, 2);
    expect(await intents(audit)).toEqual(['two', 'one']);
    expect(audit.store()).toEqual({ kind: 'file', problem: null });
  });

  test('a damaged panel.db is left as it is; the index lives in memory, and says why', async () => {
    mkdirSync(join(log.root, 'state'));
    const rubbish = Buffer.from('this is no database'.repeat(500));
    writeFileSync(log.panelDb, rubbish);
    log.append(MONTH, guardBlock(String.raw`\\.gnupg(/|$)`));
    const audit = log.start();
    await log.settled(audit, 1);
    expect(audit.store()).toMatchObject({ kind: 'memory', problem: { code: 'damaged' } });
    expect(audit.store().problem?.message).toContain(log.panelDb);
    expect((await audit.stats({ range: 'all' })).by_rule).toEqual([
      { rule: String.raw`\.gnupg(/|$)`, blocked_by: 'guard', count: 1 },
    ]);
    expect(readFileSync(log.panelDb).equals(rubbish)).toBe(true);
  });

  test('a panel.db of a newer program is left as it is', async () => {
    const db = openDatabase(log.panelDb, { mode: 'write', create: true });
    db.pragma('user_version = 999');
    db.close();
    const before = readFileSync(log.panelDb);
    const audit = log.start();
    await log.settled(audit, 0);
    expect(audit.store()).toMatchObject({ kind: 'memory', problem: { code: 'newer' } });
    expect(readFileSync(log.panelDb).equals(before)).toBe(true);
  });

  test('panel.db locked for long: what was indexed is answered, the rest comes when the lock is gone', async () => {
    log.append(MONTH, verdict({ intent: 'one' }));
    const audit = log.start();
    await log.settled(audit, 1);
    const holder = openDatabase(log.panelDb, { mode: 'write', create: true });
    holder.exec('BEGIN IMMEDIATE');
    log.append(MONTH, verdict({ intent: 'two', ts: 1796040001 }));
    await waitUntil(() => audit.store().problem?.code === 'locked' || 'not locked');
    expect(await intents(audit)).toEqual(['one']);
    holder.exec('COMMIT');
    holder.close();
    await log.settled(audit, 2);
    await waitUntil(() => audit.store().problem === null || 'locked');
    expect(await intents(audit)).toEqual(['two', 'one']);
  });
});

test('panel.db locked from the start: the index lives in memory until it is free', async () => {
  const holder = openDatabase(log.panelDb, { mode: 'write', create: true });
  holder.exec('BEGIN EXCLUSIVE');
  log.append(MONTH, verdict({ intent: 'one' }));
  const audit = log.start();
  await log.settled(audit, 1);
  expect(audit.store()).toMatchObject({ kind: 'memory', problem: { code: 'locked' } });
  expect(await intents(audit)).toEqual(['one']);
  holder.exec('COMMIT');
  holder.close();
  await waitUntil(() => audit.store().kind === 'file' || 'in memory');
  await log.settled(audit, 1);
  expect(audit.store().problem).toBeNull();
  expect(await intents(audit)).toEqual(['one']);
});

describe('a row’s own line', () => {
  test('as it stands in the file; never another one in its place', async () => {
    const line = '{"approved": true,   "ts": 1796000000, "intent": "spaced", "later_key": [1]}';
    appendFileSync(log.file(MONTH), `${line}\r\n`);
    const audit = log.start();
    await log.settled(audit, 1);
    const seq = (await log.rows(audit))[0]?.seq ?? 0;
    expect(await audit.raw({ seq })).toEqual({ text: line, problem: null });
    expect(await audit.raw({ seq: 1 })).toMatchObject({ text: null, problem: expect.stringContaining('no longer') });
    await audit.close();

    // A change between head and tail is not noticed by itself; shown it is not.
    const filler = Array.from({ length: 20 }, (_, n) => verdict({ intent: `filler ${n}` }));
    log.append('2026-10.jsonl', verdict({ intent: 'head' }), verdict({ intent: 'fine' }), ...filler);
    const again = log.start();
    await log.settled(again, 23);
    const victim = (await again.page({ limit: 500, filter: { text: 'fine' } })).rows[0];
    writeFileSync(log.file('2026-10.jsonl'), readFileSync(log.file('2026-10.jsonl'), 'utf8').replace('fine', 'evil'));
    const raw = await again.raw({ seq: victim?.seq ?? 0 });
    expect(raw.text).toBeNull();
    expect(raw.problem).toContain(log.file('2026-10.jsonl'));
  });
});
