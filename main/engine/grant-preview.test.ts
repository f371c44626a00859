import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GrantScope, grantsContract } from '../../shared/rpc/grants.ts';
import { createPanelStore } from '../db/panel-store.ts';
import { realPath } from '../grants/real-path.ts';
import { createGrantPreview } from '../pipeline/grant-preview.ts';
import { LineHome, NOW } from './line-home.fixture.ts';

const at = new LineHome();
const DAY = 86_400_000;
const NOTES = { channel: 'web', sender_id: 'anna', capability: 'fs:read', target: '~/notes/*' };
const read = (path: string | string[]) => at.decide({ args: typeof path === 'string' ? { path } : { paths: path } });
const preview = async (more: Partial<GrantScope> = {}) => {
  const told = await at.engine.services.grants.preview({ ...NOTES, ...more });
  expect(grantsContract.preview.output.parse(told)).toEqual(told);
  return told;
};
const counts = async (more: Partial<GrantScope> = {}) => {
  const { asked, passed, perhaps } = await preview(more);
  return [asked, passed, perhaps];
};

describe('what a grant would have let through', () => {
  test('nothing yet: nothing is counted, and no time is made up', async () => {
    expect(await preview()).toEqual({
      ...{ since_ms: NOW - 30 * DAY, asked: 0, passed: 0, perhaps: 0, newest: [], looked_at: 0, cut_at_ms: null },
      kept: { days: 30, oldest_ms: null, problem: null },
    });
  });

  test('calls that asked and that the target covers, the newest five by name', async () => {
    for (let index = 0; index < 7; index += 1) {
      at.now = NOW - (7 - index) * 1000;
      await read(`~/notes/${index}.txt`);
    }
    await read('~/notes/2025/a.txt');
    await read('~/notes/.hidden');
    at.now = NOW;
    const told = await preview();
    expect(told).toMatchObject({ asked: 9, passed: 7, perhaps: 0, looked_at: 9, kept: { oldest_ms: NOW - 7000 } });
    expect(told.newest.map(({ at: when, executor, target }) => [when, executor, target])).toEqual(
      [6, 5, 4, 3, 2].map((index) => [NOW - (7 - index) * 1000, 'read_files', `~/notes/${index}.txt`]),
    );
    expect(await counts({ target: '~/notes/**' })).toEqual([9, 8, 0]);
  });

  test('an approved, a rejected and a silenced call asked too; the word about an old card is no second call', async () => {
    const token = (await read('~/notes/a.txt')).approval?.token ?? '';
    await at.approvals.resolve({ token, choice: { kind: 'once' } });
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'approved' });
    const other = (await read('~/notes/b.txt')).approval?.token ?? '';
    await at.approvals.resolve({ token: other, choice: { kind: 'no-session' } });
    expect(await read('~/notes/b.txt')).toMatchObject({ decision: 'rejected', rule: 'approval:session' });
    expect(await counts()).toEqual([3, 3, 0]);
  });

  test('only the calls of this channel, sender and capability, of the last thirty days', async () => {
    at.now = NOW - 31 * DAY;
    await read('~/notes/a.txt');
    at.now = NOW - 29 * DAY;
    await read('~/notes/a.txt');
    at.now = NOW;
    await at.decide({ channel: 'telegram' });
    await at.decide({ sender_id: 'roberto' });
    await at.decide({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    expect(await counts()).toEqual([1, 1, 0]);
  });

  test('a guard block never passes [security]', async () => {
    expect(await read('~/.ssh/id_rsa')).toMatchObject({ decision: 'denied', stage: 'vaglio', capability: 'fs:read' });
    expect(await preview({ target: '~/.ssh/id_rsa' })).toMatchObject({ asked: 0, passed: 0, perhaps: 0, looked_at: 1 });
  });

  test('what the level denied, and what always asks, no grant would have let through [security]', async () => {
    const command = { executor: 'run_command', args: { command: 'ls' } };
    await at.decide(command);
    expect(await counts({ capability: 'code:exec', target: 'ls' })).toEqual([1, 0, 0]);
    await at.toLevel('ReadOnly');
    await at.decide({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    expect(await preview({ capability: 'fs:write' })).toMatchObject({ asked: 0, passed: 0, looked_at: 1 });
  });

  test('what passed without asking is not counted', async () => {
    await at.engine.services.grants.record(NOTES);
    await read('~/notes/a.txt');
    await at.toLevel('Full');
    await read('~/notes/b.txt');
    expect(await preview()).toMatchObject({ asked: 0, passed: 0, looked_at: 2 });
  });

  test('an override that asks is not lifted by a grant', async () => {
    await read('~/notes/a.txt');
    at.write(at.engine.paths.overridesFile, '[[profile]]\n[profile.any]\n"fs:read" = "approval_required"\n');
    await at.restart();
    expect(await counts()).toEqual([1, 0, 0]);
  });

  test('a link out of the granted folder is not covered [security]', async () => {
    at.write('~/private/a.txt', 'x');
    at.write('~/notes/b.txt', 'x');
    symlinkSync(join(at.home, 'private'), join(at.home, 'notes/out'));
    await read('~/notes/out/a.txt');
    await read('~/notes/b.txt');
    expect(await counts({ target: '~/notes/**' })).toEqual([2, 1, 0]);
  });

  test('a host is matched as a host', async () => {
    await at.decide({ executor: 'read_urls', args: { url: 'https://docs.example.org/a' } });
    await at.decide({ executor: 'read_urls', args: { url: 'https://evil-example.org/a' } });
    expect(await counts({ capability: 'network:http', target: '*.example.org' })).toEqual([2, 1, 0]);
  });
});

describe('what the kept answer does not tell', () => {
  test('several targets: all have to be covered, and even then it is not claimed', async () => {
    await read(['~/notes/a.txt', '~/notes/b.txt']);
    await read(['~/notes/a.txt', '~/other/b.txt']);
    await at.decide({ executor: 'copy_files', args: { from: '~/notes/a.txt', to: '~/notes/b.txt' } });
    expect(await counts()).toEqual([2, 0, 1]);
    expect(await counts({ capability: 'fs:write' })).toEqual([1, 0, 1]);
  });

  test('a target that was cut in the record is covered by nothing', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `~/notes/${index}-${'a'.repeat(90)}`);
    await read(names(60));
    await read(names(30));
    expect(await counts()).toEqual([2, 0, 1]);
  });
});

test('a capability that is not known lifts nothing', async () => {
  await read('~/notes/a.txt');
  expect(await counts({ capability: 'fs:everything' })).toEqual([0, 0, 0]);
});

test('a target that no grant could have is an answer, not an error', async () => {
  await read('~/notes/a.txt');
  expect(await counts({ target: 'notes\0/*' })).toEqual([1, 0, 0]);
});

test('of very many calls the newest are looked at, and it is said back to when', async () => {
  for (let index = 0; index < 4; index += 1) {
    at.now = NOW - (4 - index) * 1000;
    await read('~/notes/a.txt');
  }
  await at.decisions();
  const panel = createPanelStore(at.engine.paths.panelDb);
  const keeper = { flush: () => undefined, problem: () => null, days: () => 30 };
  const deps = { panel, keeper, catalogue: { find: () => null }, clock: () => NOW, limits: {} };
  const look = (most: number) =>
    createGrantPreview({ ...deps, world: { home: at.home, realpath: realPath }, most })(NOTES);
  expect(await look(3)).toMatchObject({ asked: 3, passed: 3, looked_at: 3, cut_at_ms: NOW - 3000 });
  expect(await look(4)).toMatchObject({ asked: 4, passed: 4, looked_at: 4, cut_at_ms: null });
  panel.close();
});

test('a database that cannot be read is named, and no count is made up', async () => {
  await read('~/notes/a.txt');
  writeFileSync(at.engine.paths.panelDb, 'no database'.repeat(999));
  const told = await preview();
  expect(told).toMatchObject({ asked: 0, passed: 0, newest: [] });
  expect(told.kept.problem).toContain('panel.db');
});
