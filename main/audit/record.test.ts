import { existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Integrity } from '../../shared/domain/integrity.ts';
import { createGrantsRepository } from '../db/grants.ts';
import { openDatabase } from '../db/open.ts';
import { openPanelDb } from '../db/panel.ts';
import type { Audit } from './audit.ts';
import { BLOCK_BYTES } from './chain.ts';
import { makeTestLog, type TestLog, verdict, waitUntil } from './test-log.ts';

vi.setConfig({ testTimeout: 60_000 });

let log: TestLog;
beforeEach(() => {
  log = makeTestLog();
});
afterEach(() => log.end());

const MONTH = '2026-11.jsonl';
const LINES = 3000;
const head = (): string => join(log.root, 'state', 'audit-head.json');
const fill = (name: string, count: number): void => {
  log.append(
    name,
    ...Array.from({ length: count }, (_, n) => verdict({ intent: `line ${n + 1}`, ts: 1795000000 + n })),
  );
};
const linesOf = (name: string): string[] => readFileSync(log.file(name), 'utf8').split('\n').slice(0, -1);
const write = (name: string, lines: string[]): void =>
  writeFileSync(log.file(name), lines.map((line) => `${line}\n`).join(''));

const verified = async (audit: Audit): Promise<Integrity> => {
  await waitUntil(() => audit.state().integrity?.state === 'verified' || String(audit.state().integrity?.state));
  return audit.integrity({});
};
const found = (state: Integrity): string[] =>
  state.findings.map(({ kind, file, line, last_line }) => `${kind} ${file} ${line}-${last_line}`);

/** Each does to the lines of a file what must be found, and says as what. Line 1500 lies in neither first nor last block. */
const HARM: [string, (lines: string[]) => void, string][] = [
  [
    'a byte is flipped',
    (lines) => void lines.splice(1499, 1, lines[1499]?.replace('line', 'lint') ?? ''),
    `changed ${MONTH} 1500-1500`,
  ],
  [
    'a space that says nothing is changed',
    (lines) => void lines.splice(1499, 1, lines[1499]?.replace('","', '" ,"').replace('approved: ', 'approved:') ?? ''),
    `changed ${MONTH} 1500-1500`,
  ],
  ['a line is cut', (lines) => void lines.splice(1499, 1), `cut ${MONTH} 1500-1500`],
  ['three lines are cut', (lines) => void lines.splice(1499, 3), `cut ${MONTH} 1500-1502`],
  ['the first line is cut', (lines) => void lines.splice(0, 1), `cut ${MONTH} 1-1`],
  ['the tail is cut', (lines) => void lines.splice(2990), `cut-tail ${MONTH} 2991-3000`],
  ['all but one line is cut', (lines) => void lines.splice(1), `cut-tail ${MONTH} 2-3000`],
  [
    'a line is put in',
    (lines) => void lines.splice(1499, 0, JSON.stringify(verdict({ intent: 'forged' }))),
    `cut ${MONTH} 1500-1500`,
  ],
  [
    'two lines change places',
    (lines) => void lines.splice(1499, 2, lines[1500] ?? '', lines[1499] ?? ''),
    `changed ${MONTH} 1500-1501`,
  ],
  [
    'two lines far apart change places',
    (lines) => {
      const [a, b] = [lines[1499] ?? '', lines[1504] ?? ''];
      lines[1499] = b;
      lines[1504] = a;
    },
    `changed ${MONTH} 1500-1505`,
  ],
  [
    'the last line is changed',
    (lines) => void lines.splice(2999, 1, lines[2999]?.replace('line', 'lint') ?? ''),
    `changed ${MONTH} 3000-3000`,
  ],
];

describe('what was altered is found, with file and line', () => {
  test.each(HARM)('%s, while nobody runs', async (_what, harm, expected) => {
    fill('2026-10.jsonl', 50);
    fill(MONTH, LINES);
    expect(statSync(log.file(MONTH)).size).toBeGreaterThan(2 * BLOCK_BYTES);
    const audit = log.start();
    await log.settled(audit, LINES + 50);
    expect(found(await verified(audit))).toEqual([]);
    await audit.close();

    const lines = linesOf(MONTH);
    harm(lines);
    write(MONTH, lines);
    const again = log.start();
    await log.settled(again, lines.length + 50);
    expect(found(await again.verify({}))).toEqual([expected]);
    expect(again.state().integrity).toMatchObject({ state: 'finding', findings: 1 });
    // What was found stays found, and is found once.
    expect(found(await again.verify({}))).toEqual([expected]);
  });

  test.each(HARM)('%s, while the index follows', async (_what, harm, expected) => {
    fill(MONTH, LINES);
    const audit = log.start();
    await log.settled(audit, LINES);
    await verified(audit);
    const lines = linesOf(MONTH);
    harm(lines);
    // In one step, as an editor does, and in the same file.
    const bytes = lines.map((line) => `${line}\n`).join('');
    const fd = openDraft(bytes);
    renameSync(fd, log.file(MONTH));
    await waitUntil(() => (audit.state().integrity?.findings ?? 0) > 0 || 'no finding');
    expect(found(await audit.integrity({}))).toEqual([expected]);
    await log.settled(audit, lines.length);
  });

  test.each(HARM)('%s, by one who empties the file first and then writes it', async (_what, harm, expected) => {
    fill(MONTH, LINES);
    const audit = log.start();
    await log.settled(audit, LINES);
    await verified(audit);
    const lines = linesOf(MONTH);
    harm(lines);
    truncateSync(log.file(MONTH));
    await pause(50);
    write(MONTH, lines);
    await log.settled(audit, lines.length);
    expect(found(await audit.verify({}))).toEqual([expected]);
  });
});

function openDraft(text: string): string {
  const path = join(log.root, 'draft');
  writeFileSync(path, text);
  return path;
}

describe('what is right stays right', () => {
  test('lines that are appended, one by one and many, over restarts, with a torn tail and NULs', async () => {
    fill(MONTH, 10);
    let lines = 10;
    for (let round = 0; round < 4; round++) {
      const audit = log.start();
      await log.settled(audit, lines);
      for (let n = 0; n < 5; n++) {
        log.append(MONTH, verdict({ intent: `one ${n}` }));
        lines++;
        await log.settled(audit, lines);
      }
      fill(MONTH, 1500);
      lines += 1500;
      log.append(MONTH, '{"approved": tr');
      await log.settled(audit, lines);
      log.append(MONTH, 'ue}\n', '\0'.repeat(100));
      lines += 2;
      await log.settled(audit, lines);
      log.append(MONTH, '\n');
      const state = await audit.verify({});
      expect(found(state)).toEqual([]);
      expect(state).toMatchObject({ state: 'verified', verified_to: expect.any(Number), since: expect.any(Number) });
      await audit.close();
    }
    // The blank end of the NULs is a line of the file, as an editor counts.
    expect(JSON.parse(readFileSync(head(), 'utf8')).files[MONTH].lines).toBeGreaterThanOrEqual(lines - 4);
  });

  test('the head lies outside the database, readable by its owner alone', async () => {
    fill(MONTH, 3);
    const audit = log.start();
    await log.settled(audit, 3);
    await verified(audit);
    expect(statSync(head()).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(head(), 'utf8'))).toMatchObject({ version: 1, files: { [MONTH]: { lines: 3 } } });
  });

  test('a database that was lost is made again from the log, and leads to the head outside', async () => {
    fill('2026-10.jsonl', 40);
    fill(MONTH, LINES);
    const audit = log.start();
    await log.settled(audit, LINES + 40);
    await verified(audit);
    await audit.close();
    for (const end of ['', '-wal', '-shm']) rmSync(log.panelDb + end, { force: true });
    fill(MONTH, 5);
    const again = log.start();
    await log.settled(again, LINES + 45);
    expect(found(await again.verify({}))).toEqual([]);
  });
});

describe('whoever alters the database as well', () => {
  test('a log that was changed while the database is gone: the head outside does not fit', async () => {
    fill('2026-10.jsonl', 40);
    fill(MONTH, LINES);
    const audit = log.start();
    await log.settled(audit, LINES + 40);
    await verified(audit);
    await audit.close();
    for (const end of ['', '-wal', '-shm']) rmSync(log.panelDb + end, { force: true });
    rmSync(log.file('2026-10.jsonl'));
    const lines = linesOf(MONTH);
    lines[4] = lines[4]?.replace('line', 'lint') ?? '';
    write(MONTH, lines);
    const again = log.start();
    await log.settled(again, LINES);
    expect(found(await again.verify({})).sort()).toEqual([
      'deleted 2026-10.jsonl null-null',
      `head ${MONTH} 1-${LINES}`,
    ]);
    // The head that did not fit was kept until then, and now stands for what is there.
    expect(Object.keys(JSON.parse(readFileSync(head(), 'utf8')).files)).toContain(MONTH);
  });

  test('a link of the chain that was altered', async () => {
    fill(MONTH, LINES);
    const audit = log.start();
    await log.settled(audit, LINES);
    await verified(audit);
    await audit.close();
    const db = openDatabase(log.panelDb, { mode: 'write' });
    db?.exec(`UPDATE chain_blocks SET link = 'f00d' WHERE number = 0`);
    db?.close();
    const again = log.start();
    await log.settled(again, LINES);
    expect((await again.verify({})).findings).toMatchObject([{ kind: 'head', file: MONTH, line: 1 }]);
  });

  test('a file that is deleted is a finding; its rows are gone', async () => {
    fill('2026-10.jsonl', 40);
    fill(MONTH, 3);
    const audit = log.start();
    await log.settled(audit, 43);
    rmSync(log.file('2026-10.jsonl'));
    await log.settled(audit, 3);
    expect(found(await audit.verify({}))).toEqual(['deleted 2026-10.jsonl null-null']);
  });
});

describe('operator acts', () => {
  const grantsDb = (): string => join(log.root, 'state', 'grants.db');
  const grant = (target: string, granted_at: string): number => {
    const grants = createGrantsRepository(grantsDb());
    const { id } = grants.record({
      channel: 'telegram',
      sender_id: 'anna',
      capability: 'fs:read',
      target,
      granted_at,
      expires_at: null,
      granted_by: 'roberto',
    });
    grants.close();
    return id;
  };

  test('grants, revocations and level changes, by whomever, newest first', async () => {
    const db = openPanelDb(log.panelDb);
    db.exec(`INSERT INTO level_changes (at, who, scope_kind, from_level, to_level, done)
      VALUES (1795000000000, 'operator', 'default', 'Full', 'ReadOnly', 1),
      (1795000001000, 'operator', 'default', 'ReadOnly', 'Full', 0)`);
    db.close();
    const audit = log.start();
    await log.settled(audit, 0);
    const id = grant('~/a/**', '2026-11-20T10:00:00Z');
    const grants = createGrantsRepository(grantsDb());
    grants.revoke([id], '2026-11-21T10:00:00Z');
    grants.close();
    const { rows } = await audit.acts({ limit: 10 });
    expect(rows.map(({ kind, who, at }) => [kind, who, at])).toEqual([
      ['revoke', null, Date.parse('2026-11-21T10:00:00Z') / 1000],
      ['grant', 'roberto', Date.parse('2026-11-20T10:00:00Z') / 1000],
      ['level', 'operator', 1795000000],
    ]);
    expect((await audit.acts({ limit: 1 })).more).toBe(true);
    expect((await audit.acts({ limit: 9, before: rows[0]?.id ?? 0, kind: 'level' })).rows).toHaveLength(1);
    const state = await audit.verify({});
    expect(state).toMatchObject({ state: 'verified', acts: 3, findings: [] });
  });

  test.each([
    [
      'a grant that says something else now',
      'grants.db',
      "UPDATE grants SET target = '/**'",
      /grant 1 says something else/,
    ],
    ['a grant that is gone', 'grants.db', 'DELETE FROM grants WHERE id = 1', /grant 1 is in the record/],
    [
      'an act that was changed in the record',
      'panel.db',
      "UPDATE acts SET who = 'nobody' WHERE id = 1",
      /was changed in the record/,
    ],
    [
      'an act that was taken out of the record',
      'panel.db',
      'DELETE FROM acts WHERE id = 1',
      /one before it was taken out/,
    ],
    [
      'the last act taken out of the record and its source',
      'both',
      'DELETE FROM acts WHERE id = 2',
      /the last ones were taken out/,
    ],
  ])('%s', async (_what, where, sql, expected) => {
    grant('~/a/**', '2026-11-20T10:00:00Z');
    grant('~/b/**', '2026-11-20T11:00:00Z');
    const audit = log.start();
    await log.settled(audit, 0);
    expect((await audit.verify({})).acts).toBe(2);
    await audit.close();
    const file = join(log.root, 'state', where === 'both' ? 'panel.db' : where);
    const db = openDatabase(file, { mode: 'write' });
    db?.exec(sql);
    db?.close();
    if (where === 'both') {
      const grants = openDatabase(grantsDb(), { mode: 'write' });
      grants?.exec('DELETE FROM grants WHERE id = 2');
      grants?.close();
    }
    const again = log.start();
    await log.settled(again, 0);
    const { findings } = await again.verify({});
    expect(findings.map(({ kind }) => kind)).toContain('act');
    expect(findings.map(({ detail }) => detail).join('\n')).toMatch(expected);
    expect(existsSync(head())).toBe(true);
  });
});
