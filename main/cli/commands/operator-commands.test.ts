import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import type { LevelPreview } from '../../../shared/domain/level.ts';
import { UserError } from '../../engine/errors.ts';
import { resolvePaths } from '../../engine/paths.ts';
import type { Services } from '../../engine/services.ts';
import { type InstanceLock, takeInstanceLock } from '../../host/instance-lock.ts';
import { sampleGrant, sampleServices } from '../../rpc/services.stand-in.ts';
import { createOperatorCalls } from '../../rpc/transports/operator-calls.ts';
import { type Ran, runCommand } from '../cli.stand-in.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const opening: LevelPreview = {
  scope: { kind: 'default' },
  from: 'Supervised',
  to: 'Full',
  direction: 'raise',
  cells: [{ capability: 'fs:write', from: 'approval_required', to: 'allowed', opens: true }],
  grants_live: [{ ...sampleGrant, id: 7, target: '~/\u001b[31mred' }],
  confirmation: 'as shown',
};
const card: ApprovalCard = {
  token: 'abc',
  channel: 'cli',
  sender_id: 'anna',
  status: 'approved',
  created_ms: NOW,
  expires_ms: NOW,
  decided_ms: NOW,
  decided_by: { channel: 'panel', sender_id: 'operator' },
  ours: true,
  waiting: false,
  verb: 'write',
  intent: null,
  executor: 'write_files',
  object: '~/a\u202e.txt',
  from: null,
  to: null,
  bytes: null,
  count: 1,
  args_text: null,
  capability: 'fs:write',
  critical: false,
  reversible: true,
  depth: 'full',
  asked_before: 0,
  similar: null,
  problem: null,
};

let home: string;
let lock: InstanceLock;
let services: Services;
const spies = {
  set: vi.fn(),
  unfreeze: vi.fn(),
  resolve: vi.fn((_: unknown) => ({ card, grant: null, problem: null })),
};

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-operator-'));
  services = sampleServices();
  vi.clearAllMocks();
  const { state } = services.level;
  services.level.preview = () => opening;
  services.level.set = (input) => {
    spies.set(input);
    return state({});
  };
  services.level.unfreeze = (input) => {
    spies.unfreeze(input);
    return state({});
  };
  services.approvals = { ...services.approvals, resolve: (input) => spies.resolve(input) };
  lock = await takeInstanceLock(resolvePaths({}, home).lockFile);
  if (lock.held) lock.onCall(createOperatorCalls({ services, log: () => undefined }));
});
afterEach(async () => {
  if (lock.held) await lock.release();
  rmSync(home, { recursive: true, force: true });
});

const vaglio = (args: string, more: { input?: string; isTerminal?: boolean } = {}): Promise<Ran> =>
  runCommand(args.split(' '), { home, clock: () => NOW, ...more });

describe('level', () => {
  test('show prints the state of the running engine as one JSON object', async () => {
    const { out, exit } = await vaglio('level show');
    expect(out).toHaveLength(1);
    expect(JSON.parse(out[0] as string)).toEqual(await services.level.state({}));
    expect(exit).toBe(0);
  });

  test('raising shows what opens, and without a confirmation changes nothing', async () => {
    const { out, err, exit } = await vaglio('level set Full', { input: 'Full\n' });
    expect(err.join('\n')).toContain('fs:write: approval_required -> allowed');
    expect(err.join('\n')).toContain('grant 7 counts: fs:read ~/\\u001b[31mred (telegram / anna)');
    expect(err.at(-1)).toContain('--yes-raise');
    expect({ out, exit }).toEqual({ out: [], exit: 2 });
    expect(spies.set).not.toHaveBeenCalled();
  });

  test('at a terminal the name of the level is typed, and any other word changes nothing', async () => {
    expect((await vaglio('level set Full', { input: 'yes\n', isTerminal: true })).exit).toBe(2);
    expect((await vaglio('level set Full', { input: '', isTerminal: true })).exit).toBe(2);
    expect(spies.set).not.toHaveBeenCalled();
    expect((await vaglio('level set Full', { input: 'Full\n', isTerminal: true })).exit).toBe(0);
    expect(spies.set).toHaveBeenCalledExactlyOnceWith({
      scope: { kind: 'default' },
      to: 'Full',
      confirmation: 'as shown',
    });
  });

  test('--yes-raise confirms what it has shown, for a pairing and a time too', async () => {
    const { exit, err } = await vaglio('level set Full --channel web --sender anna --for 2h --yes-raise');
    expect(exit).toBe(0);
    expect(err.join('\n')).toContain('fs:write');
    expect(spies.set).toHaveBeenCalledExactlyOnceWith({
      scope: { kind: 'pairing', channel: 'web', sender_id: 'anna' },
      to: 'Full',
      confirmation: 'as shown',
      until_ms: NOW + 7_200_000,
    });
  });

  test('lowering needs neither confirmation nor preview', async () => {
    services.level.preview = () => {
      throw new Error('not to be called');
    };
    expect((await vaglio('level set ReadOnly')).exit).toBe(0);
    expect(spies.set).toHaveBeenCalledExactlyOnceWith({ scope: { kind: 'default' }, to: 'ReadOnly' });
  });

  test.each([
    ['level set Root', 'no level'],
    ['level set Full --channel web', 'both'],
    ['level set Full --for 0h', '30m'],
    ['level set Full --for 2h --until 2026-12-01', 'not both'],
    ['level set Full --until soon', 'ISO 8601'],
    ['level unfreeze', 'Nothing is frozen'],
  ])('%s is refused', async (args, text) => {
    const { exit, err } = await vaglio(`${args}${args.includes('set') ? ' --yes-raise' : ''}`);
    expect(exit).toBe(2);
    expect(err.join('\n')).toContain(text);
    expect(spies.set).not.toHaveBeenCalled();
  });

  test('unfreezing shows what comes back and asks', async () => {
    const frozen = {
      since_ms: NOW,
      who: 'operator',
      restores: [{ scope: { kind: 'default' as const }, to: 'Full' as const }],
      requests: [],
      confirmation: 'this one',
    };
    const state = { ...(await services.level.state({})), frozen };
    services.level.state = () => state;
    const refused = await vaglio('level unfreeze');
    expect(refused.err.join('\n')).toContain('the default level: ReadOnly -> Full');
    expect(refused.exit).toBe(2);
    expect(spies.unfreeze).not.toHaveBeenCalled();
    expect((await vaglio('level unfreeze', { input: 'unfreeze\n', isTerminal: true })).exit).toBe(0);
    expect(spies.unfreeze).toHaveBeenCalledExactlyOnceWith({ confirmation: 'this one' });
  });
});

describe('approvals', () => {
  test('list prints a card a line, whatever stands in it', async () => {
    services.approvals.list = ({ status }) => ({
      cards: [{ ...card, status: status === 'pending' ? 'pending' : 'rejected' }],
      more: false,
      problem: null,
    });
    const pending = await vaglio('approvals list');
    expect(pending.out).toHaveLength(1);
    expect(pending.out[0]).not.toContain('\u202e');
    expect(JSON.parse(pending.out[0] as string)).toMatchObject({ token: 'abc', status: 'pending' });
    expect(JSON.parse((await vaglio('approvals list --resolved')).out[0] as string)).toMatchObject({
      status: 'rejected',
    });
  });

  test('a list that cannot be read is an error, not an empty list', async () => {
    services.approvals.list = () => ({ cards: [], more: false, problem: 'approvals.db is damaged.' });
    expect(await vaglio('approvals list')).toMatchObject({
      out: [],
      exit: 2,
      err: ['error: approvals.db is damaged.'],
    });
  });

  test.each([
    ['approve abc', { kind: 'once' }],
    ['reject abc', { kind: 'no' }],
    ['reject abc --session', { kind: 'no-session' }],
    ['approve abc --similar ~/x/* --until 2027-01-31', { kind: 'similar', target: '~/x/*', expires_at: '2027-01-31' }],
    [
      'approve abc --similar ~/** --without-end --yes-broad',
      { kind: 'similar', target: '~/**', expires_at: null, confirm_broad: true },
    ],
  ])('%s', async (args, choice) => {
    const { out, exit, err } = await vaglio(`approvals ${args}`);
    expect(spies.resolve).toHaveBeenCalledExactlyOnceWith({ token: 'abc', choice });
    expect(JSON.parse(out[0] as string)).toMatchObject({ token: 'abc' });
    expect(err.join()).toContain('approved: write ~/a\\u202e.txt');
    expect(exit).toBe(0);
  });

  test.each([
    'approve abc --similar ~/x/*',
    'approve abc --similar ~/x --until 2027-01-31 --without-end',
    'approve abc --until 2027-01-31',
  ])('%s is refused: a grant has an end that was meant', async (args) => {
    expect((await vaglio(`approvals ${args}`)).exit).toBe(2);
    expect(spies.resolve).not.toHaveBeenCalled();
  });

  test('a refusal of the engine is told with exit 2', async () => {
    services.approvals.resolve = () => {
      throw new UserError('conflict', 'abc was already approved.', 'abc');
    };
    expect(await vaglio('approvals approve abc')).toEqual({
      out: [],
      err: ['error: abc was already approved.'],
      exit: 2,
    });
  });
});

test('an engine that went away is an error', async () => {
  const { lockFile } = resolvePaths({}, home);
  const note = JSON.parse(readFileSync(lockFile, 'utf8'));
  writeFileSync(lockFile, JSON.stringify({ ...note, port: 1 }));
  expect(await vaglio('level show')).toMatchObject({ out: [], exit: 2, err: [expect.stringContaining('went away')] });
});
