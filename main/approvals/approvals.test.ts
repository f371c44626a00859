import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApprovalCard } from '../../shared/domain/approval.ts';
import type { GrantView, NewGrant } from '../../shared/domain/grant.ts';
import { type ApprovalsRepository, createApprovalsRepository } from '../db/approvals.ts';
import type { Ask } from '../engine/ask.ts';
import { createChanges, watchFile } from '../engine/changes.ts';
import { UserError } from '../engine/errors.ts';
import { realPath } from '../grants/real-path.ts';
import { type Approvals, createApprovals } from './approvals.ts';
import { sampleAsk } from './ask.fixture.ts';

const NOW = Date.UTC(2026, 10, 30, 12);

let home: string;
let file: string;
let now: number;
let version: string;
let forbidden: string | null;
let granted: NewGrant[];
let grantFault: Error | null;
let repository: ApprovalsRepository;
let approvals: Approvals;

function start(): void {
  repository = createApprovalsRepository(file, { busyMs: 50 });
  approvals = createApprovals({
    repository,
    clock: () => now,
    changes: createChanges((announce) => watchFile(file, announce)),
    world: { home, realpath: realPath },
    recordGrant: (grant) => {
      if (grantFault !== null) throw grantFault;
      granted.push(grant);
      return { ...grant, id: 1 } as GrantView;
    },
    checkGrant: ({ target }) => {
      if (target.includes('.ssh')) throw new UserError('refused', 'forbidden path', 'target');
    },
    forbids: () => forbidden,
    policyVersion: () => version,
  });
}
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-desk-'));
  file = join(home, 'approvals.db');
  now = NOW;
  version = 'one';
  forbidden = null;
  granted = [];
  grantFault = null;
  start();
});
afterEach(() => {
  repository.close();
  rmSync(home, { recursive: true, force: true });
});

const open = async (more: Partial<Ask> = {}): Promise<string> => (await approvals.desk.open(sampleAsk(more))).token;
const pending = async (): Promise<ApprovalCard[]> => (await approvals.list({ status: 'pending' })).cards;
const code = (expected: string) => expect.objectContaining({ code: expected });
const resolve = async (token: string, kind: 'once' | 'no' | 'no-session' = 'once') =>
  approvals.resolve({ token, choice: { kind } });

describe('the card', () => {
  test('holds question, object and class as facts, whole', async () => {
    mkdirSync(join(home, 'docs'));
    writeFileSync(join(home, 'docs/a.txt'), 'twelve bytes');
    await open({ marks: ['shell:pipe'] });
    expect(await pending()).toMatchObject([
      {
        status: 'pending',
        ours: true,
        verb: 'write',
        intent: 'file it',
        executor: 'write_files',
        object: '~/docs/a.txt',
        bytes: 12,
        count: 1,
        capability: 'fs:write',
        critical: true,
        reversible: false,
        marks: ['shell:pipe'],
        depth: 'full',
        similar: { capability: 'fs:write', target: '~/docs/*' },
        problem: null,
      },
    ]);
    const long = 'x'.repeat(20_000);
    await open({ capability: 'code:exec', object: long, verb: 'run' });
    expect((await pending())[1]).toMatchObject({ object: long, similar: null, reversible: false });
  });

  test.each([
    ['fs:write', 'write', true],
    ['fs:write', 'move', true],
    ['fs:write', 'delete', false],
    ['fs:read', 'read', true],
    ['mail:send', 'send', false],
    ['network:http', 'fetch', true],
    ['network:http', 'send', false],
    ['unheard:of', 'use', false],
  ])('%s to %s: reversible is %s', async (capability, verb, reversible) => {
    await open({ capability, verb });
    expect((await pending())[0]?.reversible).toBe(reversible);
  });

  test('gets shorter the more often the like was asked', async () => {
    for (let n = 0; n < 9; n += 1) await open();
    await open({ verb: 'delete' });
    const depths = (await pending()).map(({ depth, asked_before }) => `${asked_before} ${depth}`);
    expect([depths[0], depths[2], depths[3], depths[7], depths[8], depths[9]]).toEqual([
      '0 full',
      '2 full',
      '3 medium',
      '7 medium',
      '8 short',
      '0 full',
    ]);
  });

  test('of a request that cannot be read can be refused, not approved', async () => {
    const token = await open();
    repository.close();
    const { openDatabase } = await import('../db/open.ts');
    const db = openDatabase(file, { mode: 'write', create: true });
    db.prepare('UPDATE pending SET request_extra = ?').run('{"vaglio":1,"executor"');
    db.close();
    start();
    expect((await pending())[0]?.problem).toMatch(/cannot be read/);
    await expect(resolve(token)).rejects.toEqual(code('refused'));
    expect((await resolve(token, 'no')).card.status).toBe('rejected');
  });

  test('keeps no args once it is decided', async () => {
    for (const kind of ['no', 'once'] as const) {
      const token = await open({ args: { content: 'GEHEIM' } });
      await resolve(token, kind);
      if (kind === 'once') expect(approvals.desk.use(token)).toBe(true);
    }
    expect(JSON.stringify(repository.resolved(10, now))).not.toContain('GEHEIM');
  });

  test('is not made for a step that is too large to be looked at', async () => {
    await expect(open({ args: { content: 'x'.repeat(2_000_000) } })).rejects.toThrow('too large');
    expect(await pending()).toEqual([]);
  });
});

describe('what is proposed as similar', () => {
  const targets = (capability: string, ...list: (string | null)[]): Partial<Ask> => ({
    capability,
    needs: list.map((target) => ({ capability, target })),
  });
  test.each<[string, Partial<Ask>, string | null]>([
    ['files beside it', targets('fs:write', '~/Documents/fatture-2026/04-Acme.pdf'), '~/Documents/fatture-2026/*'],
    ['an absolute path stays one', targets('fs:read', '/srv/x/y'), '/srv/x/*'],
    ['several of one folder', targets('fs:read', '~/a/b', '~/a/c'), '~/a/*'],
    ['several of several folders', targets('fs:read', '~/a/b/c', '~/a/d/e'), '~/a/**'],
    ['all below', targets('fs:read', '~/a/**'), '~/a/**'],
    ['a host', targets('network:http', 'example.com'), 'example.com'],
    ['two hosts', targets('network:http', 'a.example', 'b.example'), null],
    ['an exact target', targets('calendar:read', 'lavoro'), 'lavoro'],
    ['no target', targets('llm:online', '*'), '*'],
    ['a file in the root', targets('fs:read', '/a'), '/a'],
    ['a dot-file, which the pattern beside it would not cover', targets('fs:read', '~/a/.env'), '~/a/.env'],
    ['a forbidden place', targets('fs:read', '~/.ssh/x'), null],
    ['a relative path, which no grant covers', targets('fs:read', 'a/b'), null],
    ['an open target', targets('fs:read', '~/a/b', null), null],
    ['what always asks', targets('mail:send', 'a@b.c'), null],
    ['what never asks', targets('time:read', '*'), null],
  ])('%s', async (_, more, expected) => {
    await open(more);
    expect((await pending())[0]?.similar?.target ?? null).toBe(expected);
  });

  test('a link that leads elsewhere is not covered by its folder', async () => {
    mkdirSync(join(home, 'docs'));
    symlinkSync('/srv', join(home, 'docs/link'));
    const token = await open({ object: '~/docs/link/a' });
    const choice = { kind: 'similar' as const, target: '~/docs/**', expires_at: null };
    expect(await approvals.checkSimilar({ token, target: '~/docs/**', expires_at: null })).toMatchObject({ ok: false });
    await expect((async () => approvals.resolve({ token, choice }))()).rejects.toEqual(code('refused'));
    expect(granted).toEqual([]);
  });

  test('a grant that cannot be made leaves the one approval, and says so', async () => {
    grantFault = new Error('grants.db is locked');
    const token = await open();
    const choice = { kind: 'similar' as const, target: '~/docs/*', expires_at: null };
    expect(await approvals.resolve({ token, choice })).toMatchObject({
      card: { status: 'approved' },
      grant: null,
      problem: expect.stringContaining('grants.db is locked'),
    });
  });
});

describe('an approval is for exactly one action [security]', () => {
  const others: [string, Partial<Ask>][] = [
    ['channel', { channel: 'web' }],
    ['sender', { sender_id: 'roberto' }],
    ['executor', { executor: 'move_files' }],
    ['args', { args: { path: '~/docs/a.txt', content: 'y' } }],
    ['an arg more', { args: { path: '~/docs/a.txt', content: 'x', mode: 'a' } }],
    ['capability', { capability: 'fs:read' }],
    ['target', { object: '~/docs/b.txt' }],
  ];
  test.each(others)('another %s cannot use it', async (_, more) => {
    const token = await open();
    expect(approvals.desk.bindingOf(token, sampleAsk({ args: { content: 'x', path: '~/docs/a.txt' } }))).toBe('same');
    expect(approvals.desk.bindingOf(token, sampleAsk(more))).toBe('other-action');
  });

  test('nor can it be used under other rules', async () => {
    const token = await open();
    version = 'two';
    expect(approvals.desk.bindingOf(token, sampleAsk())).toBe('other-action');
  });

  test.each<[string, (path: string) => void]>([
    ['another size', (path) => writeFileSync(path, 'longer than before')],
    [
      'other content of the same size and time',
      (path) => {
        writeFileSync(path, 'AFTER!');
        utimesSync(path, 1000, 1000);
      },
    ],
    ['another time', (path) => utimesSync(path, 2000, 2000)],
    ['no file', (path) => rmSync(path)],
  ])('a file with %s asks again', async (_, change) => {
    mkdirSync(join(home, 'docs'));
    const path = join(home, 'docs/a.txt');
    writeFileSync(path, 'before');
    utimesSync(path, 1000, 1000);
    const token = await open();
    expect(approvals.desk.bindingOf(token, sampleAsk())).toBe('same');
    change(path);
    expect(approvals.desk.bindingOf(token, sampleAsk())).toBe('file-changed');
  });

  test('a folder on the way that becomes a link asks again, also where no file is yet', async () => {
    for (const folder of ['one', 'two']) mkdirSync(join(home, folder));
    symlinkSync(join(home, 'one'), join(home, 'docs'));
    const token = await open();
    expect(approvals.desk.bindingOf(token, sampleAsk())).toBe('same');
    rmSync(join(home, 'docs'));
    symlinkSync(join(home, 'two'), join(home, 'docs'));
    expect(approvals.desk.bindingOf(token, sampleAsk())).toBe('file-changed');
  });

  test('a large file whose content changed and whose time was set back asks again', async () => {
    mkdirSync(join(home, 'docs'));
    const path = join(home, 'docs/a.txt');
    writeFileSync(path, Buffer.alloc(2 * 1024 * 1024, 'a'));
    utimesSync(path, 1000, 1000);
    const token = await open();
    expect(approvals.desk.bindingOf(token, sampleAsk())).toBe('same');
    writeFileSync(path, Buffer.alloc(2 * 1024 * 1024, 'b'));
    utimesSync(path, 1000, 1000);
    expect(approvals.desk.bindingOf(token, sampleAsk())).toBe('file-changed');
  });

  test('a file that appears where none was asks again', async () => {
    const token = await open();
    mkdirSync(join(home, 'docs'));
    writeFileSync(join(home, 'docs/a.txt'), '');
    expect(approvals.desk.bindingOf(token, sampleAsk())).toBe('file-changed');
  });

  test('it is used up once', async () => {
    const token = await open();
    expect(approvals.desk.use(token)).toBe(false);
    await resolve(token);
    expect([approvals.desk.use(token), approvals.desk.use(token)]).toEqual([true, false]);
    expect(approvals.desk.stateOf(token)).toMatchObject({ status: 'approved', used: true });
  });

  test('tokens are random', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, () => open()));
    expect(new Set(tokens).size).toBe(50);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('who may say yes', () => {
  test('nobody, to what level or guard do not let pass now', async () => {
    const token = await open();
    forbidden = 'fs:write is denied at ReadOnly.';
    await expect(resolve(token)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(forbidden),
    });
    const own = { token, channel: 'telegram', sender_id: 'anna', approve: true };
    await expect(approvals.resolveAs(own)).rejects.toEqual(code('refused'));
    expect(await pending()).toHaveLength(1);
  });

  test('the requester, not somebody else', async () => {
    const token = await open();
    const answer = (sender_id: string) => approvals.resolveAs({ token, channel: 'telegram', sender_id, approve: true });
    await expect(answer('roberto')).rejects.toEqual(code('refused'));
    expect(await answer('anna')).toMatchObject({ status: 'approved', decided_by: { sender_id: 'anna' } });
    await expect(answer('anna')).rejects.toEqual(code('conflict'));
  });

  const cases = resolvePath(
    process.env.VAGLIO_CASES ?? join(import.meta.dirname, '../../../shared/cases'),
    'metnos-home/.local/state/metnos/approvals.db',
  );
  if (!existsSync(cases)) console.log(`skipped: cases folder not found (${cases})`);
  test.skipIf(!existsSync(cases))('the operator, to a request of a running Metnos, whose own words stay', async () => {
    repository.close();
    writeFileSync(file, readFileSync(cases));
    start();
    const cards = await pending();
    expect(cards).toMatchObject([
      {
        ours: false,
        capability: 'fs:write',
        verb: 'sposti',
        critical: true,
        similar: null,
        args_text: null,
        problem: null,
      },
      { ours: false, capability: 'mail:send', verb: 'invii', reversible: false },
    ]);
    expect(cards[0]?.object).toContain('12 file');
    const { card } = await resolve(cards[0]?.token ?? '');
    expect(card).toMatchObject({ status: 'approved', decided_by: { channel: 'panel', sender_id: 'operator' } });
    expect((await approvals.list({ status: 'resolved' })).cards.map(({ status }) => status)).toEqual([
      'approved',
      'approved',
      'expired',
    ]);
    // Another program's request is not one that our own line could take up.
    expect(approvals.desk.stateOf(cards[1]?.token ?? '').status).toBe('unknown');
  });
});

test('who watches sees cards come, go and run out, by whomever', async () => {
  const stop = new AbortController();
  const stream = approvals.watch({}, stop.signal)[Symbol.asyncIterator]();
  expect((await stream.next()).value).toEqual({ pending: 0, cards: [], problem: null });
  const token = await open();
  expect((await stream.next()).value).toMatchObject({ pending: 1, cards: [{ token }] });
  const other = createApprovalsRepository(file);
  other.resolve({ token, status: 'rejected', at: 'x', by: { channel: 'telegram', sender_id: 'anna' } }, now);
  other.close();
  expect((await stream.next()).value).toMatchObject({ pending: 0 });
  const last = stream.next();
  stop.abort();
  expect((await last).done).toBe(true);
});

test('a file that cannot be read is said, not thrown', async () => {
  repository.close();
  writeFileSync(file, 'This is no database, but it may be all that is left of one. '.repeat(40));
  start();
  for (const answer of [await approvals.list({ status: 'pending' }), await approvals.count({})]) {
    expect(answer.problem).toContain(file);
  }
  await expect(open()).rejects.toEqual(code('damaged'));
});

test('a "don\'t ask again" is forgotten with the engine', async () => {
  await resolve(await open(), 'no-session');
  expect(approvals.desk.silencedBy(sampleAsk({ object: '~/docs/b.txt' }))).toEqual(expect.any(String));
  expect(approvals.desk.silencedBy(sampleAsk({ sender_id: 'roberto' }))).toBeNull();
  repository.close();
  start();
  expect(approvals.desk.silencedBy(sampleAsk())).toBeNull();
});

test('cards that are asked for together are one transaction', async () => {
  const add = vi.spyOn(repository, 'add');
  await Promise.all([open(), open(), open()]);
  expect(add).toHaveBeenCalledTimes(1);
  expect(await pending()).toHaveLength(3);
});
