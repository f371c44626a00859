import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGrantsRepository } from '../../db/grants.ts';
import { REGISTRY } from '../../policy/registry.ts';
import { registerPolicy } from './policy.ts';

const cases = process.env.VAGLIO_CASES || join(import.meta.dirname, '../../../../shared/cases');
const NOW = Date.UTC(2026, 10, 30, 12);

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-cli-'));
  file = join(home, '.local/state/metnos/grants.db');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function vaglio(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  let exit = 0;
  const program = new Command('vaglio');
  registerPolicy(program, {
    env: {},
    home,
    clock: () => NOW,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    setExit: (code) => {
      exit = code;
    },
  });
  await program.parseAsync(['policy', ...args], { from: 'user' });
  return { out, err, exit };
}

function grant(
  change: Partial<{ sender_id: string; capability: string; target: string; channel: string }> = {},
): number {
  const repository = createGrantsRepository(file);
  const terms = {
    channel: 'telegram',
    sender_id: 'roberto',
    capability: 'fs:read',
    target: '~/Documents/**',
    ...change,
  };
  const { id } = repository.record({
    ...terms,
    granted_at: '2026-11-30T11:00:00Z',
    expires_at: null,
    granted_by: null,
  });
  repository.close();
  return id;
}

const SCOPE = ['--channel', 'telegram', '--sender', 'roberto', '--target', '~/Documents/a'];

test('registry prints thirteen JSON lines in order', async () => {
  const { out, err, exit } = await vaglio('registry');
  expect(out.map((line) => JSON.parse(line))).toEqual(REGISTRY);
  expect(out[0]).toBe(
    '{"name":"fs:read","critical":false,"default_approval":"per_target","target_kind":"path_glob","description":"read local files inside declared globs"}',
  );
  expect([err, exit]).toEqual([[], 0]);
});

test('table prints a line a level, `level` first, then the capabilities in registry order', async () => {
  const { out } = await vaglio('table');
  expect(out).toHaveLength(3);
  const keys = out.map((line) => Object.keys(JSON.parse(line)));
  for (const line of keys) expect(line).toEqual(['level', ...REGISTRY.map(({ name }) => name)]);
  expect(out[0]).toContain('{"level":"ReadOnly","fs:read":"approval_required","fs:write":"denied",');
});

const expected = join(cases, 'policy-table.json');
if (!existsSync(expected)) console.log(`skipped: cases folder not found (${expected})`);
test.skipIf(!existsSync(expected))('table equals the cases folder', async () => {
  const { out } = await vaglio('table');
  const printed = out.flatMap((line) => {
    const { level, ...outcomes } = JSON.parse(line) as Record<string, string>;
    return Object.entries(outcomes).map(([capability, outcome]) => ({ level, capability, outcome }));
  });
  expect(printed).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
});

describe('check', () => {
  test('the bare outcome, from the table alone without a scope', async () => {
    grant();
    expect(await vaglio('check', 'Supervised', 'fs:read')).toEqual({ out: ['approval_required'], err: [], exit: 0 });
    expect(await vaglio('check', 'Full', 'fs:write')).toEqual({ out: ['allowed'], err: [], exit: 0 });
  });

  test('a grant answers for its scope', async () => {
    expect((await vaglio('check', 'Supervised', 'fs:read', ...SCOPE)).out).toEqual(['approval_required']);
    grant();
    expect(await vaglio('check', 'Supervised', 'fs:read', ...SCOPE)).toEqual({ out: ['allowed'], err: [], exit: 0 });
    expect((await vaglio('check', 'Supervised', 'fs:write', ...SCOPE)).out).toEqual(['approval_required']);
    expect((await vaglio('check', 'Supervised', 'fs:read', ...SCOPE.slice(0, 4))).out).toEqual(['approval_required']);
  });

  test('a denied one says beside it which level would allow it', async () => {
    expect(await vaglio('check', 'ReadOnly', 'fs:write')).toEqual({
      out: ['denied'],
      err: ['needs Supervised'],
      exit: 0,
    });
  });

  test('what is unknown is denied, with a warning for the typo', async () => {
    const { out, err, exit } = await vaglio('check', 'full', 'fs:\u001b[31m', ...SCOPE);
    expect([out, exit]).toEqual([['denied'], 0]);
    expect(err).toHaveLength(2);
    expect(err[0]).toContain('"full"');
    expect(err.join('')).not.toContain('\u001b');
  });

  test('grants that cannot be read allow nothing: the outcome stays, the error is on stderr with exit 2', async () => {
    mkdirSync(file, { recursive: true });
    const { out, err, exit } = await vaglio('check', 'Supervised', 'fs:read', ...SCOPE);
    expect([out, exit]).toEqual([['approval_required'], 2]);
    expect(err[0]).toContain(file);
    // Denied: the file is not even opened.
    expect(await vaglio('check', 'ReadOnly', 'fs:write', ...SCOPE)).toMatchObject({ out: ['denied'], exit: 0 });
  });
});

describe('grants', () => {
  test('no file is no grant, and no error', async () => {
    expect(await vaglio('grants')).toEqual({ out: [], err: [], exit: 0 });
    expect(existsSync(file)).toBe(false);
  });

  test('filters, and hides the revoked ones without --all', async () => {
    grant();
    grant({ channel: 'web' });
    grant({ sender_id: 'anna', capability: 'mail:send', target: 'x\u202e' });
    await vaglio('revoke', '1');
    const ids = async (...args: string[]) =>
      (await vaglio('grants', ...args)).out.map((line) => (JSON.parse(line) as { id: number }).id);
    expect(await ids()).toEqual([3, 2]);
    expect(await ids('--all')).toEqual([3, 2, 1]);
    expect(await ids('--channel', 'telegram', '--all')).toEqual([3, 1]);
    expect(await ids('--sender', 'roberto')).toEqual([2]);
    const { out } = await vaglio('grants', '--sender', 'anna');
    expect(out[0]).not.toContain('\u202e');
    expect(JSON.parse(out[0] ?? '')).toEqual({
      id: 3,
      channel: 'telegram',
      sender_id: 'anna',
      capability: 'mail:send',
      target: 'x\u202e',
      granted_at: '2026-11-30T11:00:00Z',
      expires_at: null,
      granted_by: null,
      revoked_at: null,
      state: 'active',
      no_effect: 'always',
    });
  });

  test('a damaged file: stderr names it, exit 2', async () => {
    mkdirSync(join(home, '.local/state/metnos'), { recursive: true });
    writeFileSync(file, 'no database '.repeat(100));
    for (const args of [['grants'], ['revoke', '1']]) {
      const { out, err, exit } = await vaglio(...args);
      expect([out, exit]).toEqual([[], 2]);
      expect(err[0]).toContain(file);
    }
  });
});

describe('revoke', () => {
  test('revoked, then no-op with exit 1; an unknown id is a no-op too', async () => {
    const id = grant();
    expect(await vaglio('revoke', String(id))).toEqual({ out: ['revoked'], err: [], exit: 0 });
    expect(await vaglio('revoke', String(id))).toEqual({ out: ['no-op'], err: [], exit: 1 });
    expect(await vaglio('revoke', '99')).toEqual({ out: ['no-op'], err: [], exit: 1 });
  });

  test.each(['0', '-1', '1.5', '1e3', 'x', '', '99999999999999999999'])('%j is no id: exit 2', async (text) => {
    const { out, err, exit } = await vaglio('revoke', '--', text);
    expect([out, exit]).toEqual([[], 2]);
    expect(err).toHaveLength(1);
  });
});

const metnosHome = join(cases, 'metnos-home');
test.skipIf(!existsSync(metnosHome))('a home folder as a running Metnos leaves it', async () => {
  cpSync(metnosHome, home, { recursive: true });
  chmodSync(file, 0o600);
  const rows = (await vaglio('grants')).out.map((line) => JSON.parse(line) as { id: number; state: string });
  expect(rows.map(({ id, state }) => `${id} ${state}`)).toEqual(
    ['10', '9', '8', '6', '5', '4', '3', '2', '1'].map((id) => `${id} ${id === '4' ? 'expired' : 'active'}`),
  );
  expect((await vaglio('grants', '--all')).out).toHaveLength(10);
});
