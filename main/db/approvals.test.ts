import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApprovalsRepository, createApprovalsRepository, type NewPending, type Resolution } from './approvals.ts';
import { openDatabase, type WriteDb } from './open.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const PANEL = { channel: 'panel', sender_id: 'operator' };

let folder: string;
let file: string;
let approvals: ApprovalsRepository;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-approvals-'));
  file = join(folder, 'state/approvals.db');
  approvals = createApprovalsRepository(file, { busyMs: 50 });
});
afterEach(() => {
  approvals.close();
  rmSync(folder, { recursive: true, force: true });
});

const row = (token: string, more: Partial<NewPending> = {}): NewPending => ({
  token,
  channel: 'telegram',
  sender_id: 'roberto',
  capability_class: 'fs:write',
  action_verb: 'write',
  target_summary: '~/a',
  created_at: '2026-11-30T11:59:00Z',
  expires_at: '2026-11-30T12:09:00Z',
  request_extra: null,
  ...more,
});
const resolve = (token: string, more: Partial<Resolution> = {}, now = NOW) =>
  approvals.resolve({ token, status: 'approved', at: '2026-11-30T12:00:00Z', by: PANEL, ...more }, now);
const code = (expected: string) => expect.objectContaining({ code: expected });
const stored = (token: string): unknown => {
  const db = openDatabase(file, { mode: 'read' });
  const found = db?.prepare('SELECT * FROM pending WHERE token = ?').get(token);
  db?.close();
  return found;
};

describe('the file', () => {
  test('is made with the first request, for nobody but its owner', () => {
    expect(approvals.pending(-1)).toEqual([]);
    expect(existsSync(file)).toBe(false);
    approvals.add(row('a'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
    expect(approvals.find('a')).toMatchObject({ token: 'a', status: 'pending', decision_at: null });
  });

  test('of another program keeps its schema and its journal mode', () => {
    const db = openDatabase(file, { mode: 'write', create: true });
    db.exec(`CREATE TABLE pending (token TEXT PRIMARY KEY, channel TEXT NOT NULL, sender_id TEXT NOT NULL,
      capability_class TEXT NOT NULL, action_verb TEXT NOT NULL, target_summary TEXT NOT NULL, created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'pending', decision_at TEXT, decision_by_channel TEXT,
      decision_by_sender TEXT, request_extra TEXT, theirs TEXT)`);
    const before = db.prepare('SELECT sql FROM sqlite_master').pluck().all();
    approvals.add(row('a'));
    resolve('a');
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(db.prepare('SELECT sql FROM sqlite_master').pluck().all()).toEqual(before);
    db.close();
  });

  test('that is deleted while open is made anew, not written to where nobody sees it', () => {
    approvals.add(row('a'));
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    approvals.add(row('b'));
    const other = createApprovalsRepository(file);
    expect(other.pending(-1).map(({ token }) => token)).toEqual(['b']);
    other.close();
  });

  test('that is damaged is named and left as it is', () => {
    approvals.add(row('a'));
    approvals.close();
    const bytes = 'This is no database, but it may be all that is left of one. '.repeat(40);
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    writeFileSync(file, bytes);
    expect(() => approvals.add(row('b'))).toThrow(code('damaged'));
    expect(() => approvals.pending(-1)).toThrow(file);
    expect(readFileSync(file, 'utf8')).toBe(bytes);
  });

  test('that another program holds is named; once it is free, all goes on', () => {
    approvals.add(row('a'));
    const other = openDatabase(file, { mode: 'write' }) as WriteDb;
    other.exec('BEGIN IMMEDIATE');
    expect(() => approvals.add(row('b'))).toThrow(code('locked'));
    expect(() => resolve('a')).toThrow(code('locked'));
    other.exec('ROLLBACK');
    other.close();
    expect(approvals.find('a')?.status).toBe('pending');
    approvals.add(row('b'));
    expect(approvals.pending(-1)).toHaveLength(2);
  });
});

describe('resolving is one step, or none', () => {
  beforeEach(() => approvals.add(row('a', { request_extra: '{"theirs":1}' })));

  test('records who and when', () => {
    resolve('a');
    expect(stored('a')).toMatchObject({
      status: 'approved',
      decision_at: '2026-11-30T12:00:00Z',
      decision_by_channel: 'panel',
      decision_by_sender: 'operator',
      request_extra: '{"theirs":1}',
    });
  });

  test.each<[string, string, Partial<Resolution>, number, string]>([
    ['an unknown token', 'x', {}, NOW, 'not-found'],
    ['an expired one', 'a', {}, Date.UTC(2026, 10, 30, 12, 9), 'refused'],
    ['another channel than the requester', 'a', { onlyFrom: { channel: 'web', sender_id: 'roberto' } }, NOW, 'refused'],
    [
      'another sender than the requester',
      'a',
      { onlyFrom: { channel: 'telegram', sender_id: 'anna' } },
      NOW,
      'refused',
    ],
  ])('%s is refused, and nothing changes', (_, token, more, now, expected) => {
    const before = stored('a');
    expect(() => resolve(token, more, now)).toThrow(code(expected));
    expect(stored('a')).toEqual(before);
  });

  test('twice is refused, whoever was first', () => {
    resolve('a', { status: 'rejected' });
    expect(() => resolve('a')).toThrow(code('conflict'));
    expect(stored('a')).toMatchObject({ status: 'rejected' });
    const other = openDatabase(file, { mode: 'write' }) as WriteDb;
    approvals.add(row('b'));
    other.exec("UPDATE pending SET status = 'approved' WHERE token = 'b'");
    other.close();
    expect(() => resolve('b', { status: 'rejected' })).toThrow('already resolved: it was approved');
  });

  test('an expiry that cannot be read has been reached', () => {
    approvals.add(row('odd', { expires_at: 'soon' }));
    expect(() => resolve('odd')).toThrow(code('refused'));
    expect(approvals.countPending(NOW)).toBe(1);
  });

  test('an expiry is an instant, not a text', () => {
    approvals.add(row('offset', { expires_at: '2026-11-30T13:30:00+02:00' }));
    expect(() => resolve('offset')).toThrow(code('refused'));
  });
});

test('the like that was asked before is counted by who, capability and verb', () => {
  const classes = ['fs:write:~/x/**', 'fs:write', 'fs:write:~/y', 'mail:send'];
  for (const [n, capability_class] of classes.entries()) approvals.add(row(`t${n}`, { capability_class }));
  approvals.add(row('other', { sender_id: 'anna' }));
  approvals.add(row('verb', { action_verb: 'delete' }));
  approvals.add(row('last'));
  expect(Object.fromEntries(approvals.askedBefore(['t0', 't2', 't3', 'other', 'verb', 'last']))).toEqual({
    t0: 0,
    t2: 2,
    t3: 0,
    other: 0,
    verb: 0,
    last: 3,
  });
});

test('what is resolved comes newest first, with the overdue', () => {
  for (const token of ['a', 'b', 'c']) approvals.add(row(token));
  approvals.add(row('old', { expires_at: '2026-11-30T11:00:00Z' }));
  resolve('a', { at: '2026-11-30T12:01:00Z' });
  resolve('b', { at: '2026-11-30T12:02:00Z', status: 'rejected' });
  expect(approvals.resolved(10, NOW).map(({ token }) => token)).toEqual(['b', 'a', 'old']);
  expect(approvals.resolved(1, NOW)).toHaveLength(1);
  expect(approvals.pending(-1).map(({ token }) => token)).toEqual(['c', 'old']);
});

const cases = resolvePath(
  process.env.VAGLIO_CASES ?? join(import.meta.dirname, '../../../shared/cases'),
  'metnos-home/.local/state/metnos/approvals.db',
);
if (!existsSync(cases)) console.log(`skipped: cases folder not found (${cases})`);

test.skipIf(!existsSync(cases))('requests of a running Metnos are answered by the same rules', () => {
  mkdirSync(join(folder, 'state'));
  // A copy of a file that cannot be written cannot be written either.
  writeFileSync(file, readFileSync(cases));
  const [first, second] = approvals.pending(-1).filter(({ expires_at }) => expires_at.startsWith('2027'));
  const answer = (token: string | undefined, channel: string, sender_id: string) =>
    resolve(token ?? '', { by: { channel, sender_id }, onlyFrom: { channel, sender_id } });
  expect(() => answer(first?.token, 'telegram', 'anna')).toThrow(code('refused'));
  expect(() => answer(second?.token, 'telegram', 'roberto')).toThrow(code('refused'));
  expect(answer(first?.token, 'telegram', 'roberto')).toMatchObject({
    status: 'approved',
    decision_by_sender: 'roberto',
  });
  expect(() => answer(first?.token, 'telegram', 'roberto')).toThrow(code('conflict'));
  const overdue = approvals.pending(-1).find(({ expires_at }) => expires_at.startsWith('2026-11-10'));
  expect(() => answer(overdue?.token, 'telegram', 'anna')).toThrow('expired');
  expect(resolve(second?.token ?? '', { status: 'rejected' })).toMatchObject({ decision_by_channel: 'panel' });
});
