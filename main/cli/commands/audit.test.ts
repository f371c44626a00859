import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withIndex } from '../../audit/one-shot.ts';
import { casesFolder } from '../../audit/test-log.ts';
import { resolvePaths } from '../../engine/paths.ts';
import { type Ran, runCommand } from '../cli.stand-in.ts';

vi.setConfig({ testTimeout: 60_000 });

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'audit-cli-'));
  folder = join(home, '.local/share/metnos/vaglio');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (...args: string[]): Promise<Ran> => runCommand(['audit', ...args], { home });
const append = (name: string, ...lines: object[]): void => {
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};
const verdict = (over: object = {}): object => ({
  approved: true,
  reason: 'approved: x',
  ts: 1795000000,
  judge_kind: 'rule-based-v1',
  score: 0.7,
  blocked_by: null,
  intent: 'leggi la città',
  executor: 'read_files',
  args_keys: ['path'],
  context_keys: [],
  ...over,
});
const denied = (over: object = {}): object =>
  verdict({ approved: false, blocked_by: 'guard', reason: 'guard: y', score: 0, ...over });

describe('vaglio audit verify', () => {
  test('0 and a sentence when all is as it was; 1 and file, line when it is not; nothing is forgotten', async () => {
    append('2026-11.jsonl', verdict(), verdict({ intent: 'two' }), verdict({ intent: 'three' }));
    const first = await run('verify');
    expect(first.exit).toBe(0);
    expect(first.out).toHaveLength(1);
    expect(first.out[0]).toMatch(/^verified: 3 lines and 0 operator acts, to 2026-11-18T.*Z; the record began 20/);
    append('2026-11.jsonl', verdict());
    expect((await run('verify')).out[0]).toMatch(/^verified: 4 lines/);

    const path = join(folder, '2026-11.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"two"', '"owt"'));
    const second = await run('verify');
    expect(second.exit).toBe(1);
    expect(second.out).toEqual([expect.stringMatching(/^2026-11\.jsonl:2: changed: Line 2 was changed\. \(found 20/)]);
    expect(JSON.parse((await run('verify', '--json')).out.join(''))).toMatchObject({
      state: 'finding',
      findings: [{ line: 2 }],
    });
  });

  test('what an operator acknowledged is told apart, and only what is open makes it exit 1', async () => {
    append('2026-10.jsonl', verdict());
    append('2026-11.jsonl', verdict());
    await run('verify');
    rmSync(join(folder, '2026-10.jsonl'));
    expect((await run('verify')).exit).toBe(1);
    await withIndex(resolvePaths({}, home), async (ask) => {
      const { findings } = await ask('integrity', null);
      await ask('acknowledge', { ids: findings.map(({ id }) => id) });
    });
    const known = await run('verify');
    expect(known.exit).toBe(0);
    expect(known.out).toEqual([
      expect.stringMatching(/^verified: 1 lines and 1 operator acts/),
      expect.stringMatching(/^acknowledged: 2026-10\.jsonl: deleted: .*\(found 20.*, acknowledged 20.* by operator\)$/),
    ]);
    rmSync(join(folder, '2026-11.jsonl'));
    const more = await run('verify');
    expect(more.exit).toBe(1);
    expect(more.out).toEqual([
      expect.stringMatching(/^2026-11\.jsonl: deleted: /),
      expect.stringMatching(/^acknowledged: 2026-10\.jsonl: /),
    ]);
    expect(JSON.parse((await run('verify', '--json')).out.join(''))).toMatchObject({
      state: 'finding',
      findings: [{ file: '2026-11.jsonl', acknowledged_at: null }],
      acknowledged: [{ file: '2026-10.jsonl', acknowledged_by: 'operator' }],
    });
  });

  test('its help says what the exit code stands for', async () => {
    expect((await run('verify', '--help')).out.join(' ').replace(/\s+/g, ' ')).toContain(
      'exit 0 verified, 1 something differs that no operator has acknowledged',
    );
  });

  test('no log at all is nothing to find', async () => {
    expect((await run('verify')).exit).toBe(0);
  });

  test.each([
    [
      'a panel.db that is none',
      () => writeFileSync(join(home, '.local/state/metnos/panel.db'), 'rubbish'.repeat(999)),
      /panel\.db is damaged/,
    ],
    ['a log folder that is none', () => writeFileSync(folder, ''), /vaglio/],
  ])('2 for %s', async (_what, spoil, expected) => {
    mkdirSync(join(home, '.local/state/metnos'), { recursive: true });
    mkdirSync(join(home, '.local/share/metnos'), { recursive: true });
    spoil();
    const ran = await run('verify');
    expect(ran.exit).toBe(2);
    expect(ran.err.join('\n')).toMatch(expected);
  });

  test('a folder that was taken away is no answer: it may only be unmounted', async () => {
    append('2026-11.jsonl', verdict());
    await run('verify');
    rmSync(folder, { recursive: true });
    const ran = await run('verify');
    expect(ran.exit).toBe(2);
    expect(ran.err.join('\n')).toContain(folder);
  });
});

describe('vaglio audit stats, search, export', () => {
  beforeEach(() => {
    append(
      '2026-11.jsonl',
      verdict(),
      denied({ ts: 1795000001, executor: 'shell_exec', intent: '=cmd()' }),
      verdict({ ts: 1795100000 }),
    );
  });

  test('stats: columns, or JSON with the names that were asked for', async () => {
    expect((await run('stats', '--by', 'executor,blocked_by')).out).toEqual([
      'read_files\t-\t2',
      'shell_exec\tguard\t1',
    ]);
    const json = (await run('stats', '--by', 'outcome,month', '--json')).out.map((line) => JSON.parse(line));
    expect(json).toEqual([
      { outcome: 'approved', month: '2026-11', count: 2 },
      { outcome: 'denied', month: '2026-11', count: 1 },
    ]);
    expect((await run('stats', '--by', 'executor', '--outcome', 'denied')).out).toEqual(['shell_exec\t1']);
  });

  test('search: by words, without regard to accents', async () => {
    const { out } = await run('search', 'CITTA');
    expect(out).toHaveLength(2);
    expect(out[0]).toMatch(/^2026-11-19T.*Z\tapproved\tread_files\tleggi la città\tapproved: x$/);
    expect((await run('search', 'citta', '--limit', '1', '--json')).out.map((line) => JSON.parse(line).ts)).toEqual([
      1795100000,
    ]);
    const none = await run('search', 'nowhere');
    expect([none.exit, none.out, none.err]).toEqual([0, [], ['No row has these words.']]);
  });

  test('export: JSONL and CSV, what is a formula is none', async () => {
    const jsonl = (await run('export', '--format', 'jsonl')).out.map((line) => JSON.parse(line));
    expect(jsonl.map(({ ts }) => ts)).toEqual([1795100000, 1795000001, 1795000000]);
    const csv = (await run('export', '--format', 'csv', '--blocked-by', 'guard')).out;
    expect(csv).toHaveLength(2);
    expect(csv[1]).toContain(`"'=cmd()"`);
  });

  test.each([
    ['stats'],
    ['stats', '--by', 'colour'],
    ['stats', '--by', 'day,day,day,day,day'],
    ['export', '--format', 'xml'],
    ['search', 'x', '--from', 'yesterday'],
    ['search', 'x', '--limit', '0'],
    ['search', 'x', '--outcome', 'maybe'],
    ['search', 'x', '--min-score', 'high'],
  ])('%s %s %s %s is not understood: exit 2', async (...args) => {
    expect((await run(...args)).exit).toBe(2);
  });
});

describe('over a real home', () => {
  const source = casesFolder('metnos-home');

  test.skipIf(source === null)('every figure equals a count made from the files', async () => {
    const from = join(source ?? '', '.local/share/metnos/vaglio');
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(from)) {
      cpSync(join(from, name), join(folder, name));
      chmodSync(join(folder, name), 0o600);
    }
    const lines = readdirSync(from).flatMap((name) =>
      readFileSync(join(from, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    );
    const counted = new Map<string, number>();
    for (const { executor, blocked_by, ts } of lines) {
      const day = new Date(ts * 1000);
      const two = (value: number): string => String(value).padStart(2, '0');
      const key = [executor, blocked_by, `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`].join(
        '/',
      );
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    const { out } = await run('stats', '--by', 'executor,blocked_by,day', '--json');
    const found = out.map((line) => JSON.parse(line));
    expect(
      Object.fromEntries(found.map((row) => [[row.executor, row.blocked_by, row.day].join('/'), row.count])),
    ).toEqual(Object.fromEntries(counted));
    expect((await run('export', '--format', 'jsonl')).out).toHaveLength(lines.length);
    expect((await run('verify')).exit).toBe(0);
    expect(existsSync(join(home, '.local/state/metnos/audit-head.json'))).toBe(true);
  });
});
