import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { policyContract } from '../../shared/rpc/policy.ts';
import { LineHome, NOW } from './line-home.fixture.ts';

const at = new LineHome();
const DAY = 86_400_000;
const DEFAULT = { kind: 'default' as const };
const write = (path = '~/notes/a.txt') => at.decide({ executor: 'write_files', args: { path, content: 'x' } });
const fired = async () => {
  const told = await at.engine.services.policy.fired({});
  expect(policyContract.fired.output.parse(told)).toEqual(told);
  return told;
};
const compare = async (to: 'ReadOnly' | 'Supervised' | 'Full') => {
  const told = await at.engine.services.policy.compare({ scope: DEFAULT, to });
  expect(policyContract.compare.output.parse(told)).toEqual(told);
  return told;
};

describe('how often a cell fired', () => {
  test('nothing yet: no cell, nothing kept', async () => {
    expect(await fired()).toEqual({
      cells: [],
      since_ms: NOW - 7 * DAY,
      kept: { days: 30, oldest_ms: null, problem: null },
    });
  });

  test('each call of the last seven days in the cell that answered it, at once', async () => {
    at.now = NOW - 8 * DAY;
    await at.decide();
    at.now = NOW - 6 * DAY;
    await at.decide();
    at.now = NOW;
    await at.decide();
    await at.decide({ args: { path: '~/.ssh/id_rsa' } });
    await at.decide({ executor: 'frobnicate' });
    await at.toLevel('ReadOnly');
    await write();
    const { cells, kept } = await fired();
    expect(cells).toEqual([
      { level: 'Supervised', capability: 'fs:read', calls: 3 },
      { level: 'ReadOnly', capability: 'fs:write', calls: 1 },
    ]);
    expect(kept.oldest_ms).toBe(NOW - 8 * DAY);
  });

  test('a call that nobody waited for counts once, not again when its card is asked about', async () => {
    const asked = await at.decide();
    const token = asked.approval?.token ?? '';
    await at.approvals.resolve({ token, choice: { kind: 'once' } });
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'approved' });
    expect((await fired()).cells).toEqual([{ level: 'Supervised', capability: 'fs:read', calls: 1 }]);
    expect(await at.decisions()).toHaveLength(2);
  });

  test('a database that cannot be read is named, and no count is made up', async () => {
    await at.decide();
    writeFileSync(at.engine.paths.panelDb, 'no database'.repeat(999));
    const { cells, kept } = await fired();
    expect(cells).toEqual([]);
    expect(kept.problem).toContain('panel.db');
  });
});

test('the last calls of a cell, newest first, and whether there are more', async () => {
  for (const name of ['a', 'b', 'c']) await at.decide({ args: { path: `~/notes/${name}.txt` } });
  await write();
  const cell = { level: 'Supervised', capability: 'fs:read' } as const;
  const { rows, more } = await at.engine.services.policy.calls({ ...cell, limit: 2 });
  expect(rows.map(({ target }) => target)).toEqual(['~/notes/c.txt', '~/notes/b.txt']);
  expect(more).toBe(true);
  const all = await at.engine.services.policy.calls({ ...cell, limit: 3 });
  expect(all).toMatchObject({ more: false, kept: { days: 30, problem: null } });
});

describe('a level held against the one in force', () => {
  test('what asked would have passed, what always asks still asks, no guard block changes', async () => {
    await write('~/notes/a.txt');
    await write('~/notes/b.txt');
    await at.decide({ executor: 'run_command', args: { command: 'ls' } });
    await at.decide({ executor: 'get_now', args: {} });
    await write('~/.ssh/authorized_keys');
    const told = await compare('Full');
    expect(told).toMatchObject({ from: 'Supervised', to: 'Full', since_ms: NOW - 30 * DAY, guard_blocks: 1 });
    expect(told.calls).toEqual(
      expect.arrayContaining([
        { capability: 'fs:write', was: 'approval_required', would: 'allowed', calls: 2 },
        { capability: 'code:exec', was: 'approval_required', would: 'approval_required', calls: 1 },
        { capability: 'time:read', was: 'allowed', would: 'allowed', calls: 1 },
      ]),
    );
    expect(told.calls).toHaveLength(3);
  });

  test('a stricter one: what a grant lifted is denied where the level denies', async () => {
    const who = { channel: 'web', sender_id: 'anna' };
    await at.engine.services.grants.record({ ...who, capability: 'fs:write', target: '~/notes/*' });
    await at.engine.services.grants.record({ ...who, capability: 'fs:read', target: '~/notes/*' });
    await write();
    await at.decide();
    const { calls } = await compare('ReadOnly');
    expect(calls).toEqual([
      { capability: 'fs:read', was: 'allowed', would: 'allowed', calls: 1 },
      { capability: 'fs:write', was: 'allowed', would: 'denied', calls: 1 },
    ]);
  });

  test('counts thirty days, and the calls of the scope alone', async () => {
    at.now = NOW - 31 * DAY;
    await write();
    at.now = NOW - 29 * DAY;
    await write();
    at.now = NOW;
    const scope = { kind: 'pairing' as const, channel: 'web', sender_id: 'anna' };
    expect((await compare('Full')).calls).toMatchObject([{ calls: 1 }]);
    await expect(at.engine.services.policy.compare({ scope, to: 'Full' })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('nothing that it says changes when the grants change afterwards', async () => {
    await write();
    const before = await compare('ReadOnly');
    const who = { channel: 'web', sender_id: 'anna' };
    await at.engine.services.grants.record({ ...who, capability: 'fs:write', target: '~/notes/*' });
    expect((await compare('ReadOnly')).calls).toEqual(before.calls);
  });

  test('where no call is kept it says so', async () => {
    await at.engine.services.app.setRetention({ decisions_days: 0 });
    await write();
    expect(await compare('Full')).toMatchObject({ calls: [], guard_blocks: 0, kept: { days: 0, oldest_ms: null } });
  });
});
