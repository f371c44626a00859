import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Integrity } from '../../shared/domain/integrity.ts';
import { createGrantsRepository } from '../db/grants.ts';
import { openDatabase } from '../db/open.ts';
import type { Audit } from './audit.ts';
import { makeTestLog, type TestLog, verdict, waitUntil } from './test-log.ts';

vi.setConfig({ testTimeout: 60_000 });

let log: TestLog;
beforeEach(() => {
  log = makeTestLog();
});
afterEach(() => log.end());

const OLD = '2026-10.jsonl';
const MONTH = '2026-11.jsonl';
const panelDb = (): string => join(log.root, 'state', 'panel.db');
const fill = (name: string, count: number): void =>
  log.append(
    name,
    ...Array.from({ length: count }, (_, n) => verdict({ intent: `line ${n + 1}`, ts: 1795000000 + n })),
  );
/** Changes a line in its place, so that its file stays as long as it was. */
const change = (name: string, line: number, to: string): void => {
  const lines = readFileSync(log.file(name), 'utf8').split('\n');
  lines[line - 1] = lines[line - 1]?.replace(/"(line|[a-z]{4}) \d+"/, (all) => `"${to}${all.slice(5)}`) ?? '';
  writeFileSync(log.file(name), lines.join('\n'));
};
const said = (state: Integrity): string[] => state.findings.map(({ kind, file, line }) => `${kind} ${file} ${line}`);
const idsOf = (state: Integrity): number[] => state.findings.map(({ id }) => id);

async function settled(lines: number): Promise<Audit> {
  const audit = log.start();
  await log.settled(audit, lines);
  await waitUntil(() => !['checking', 'unchecked'].includes(String(audit.state().integrity?.state)) || 'not compared');
  return audit;
}

describe('a month file that was deleted', () => {
  async function deleted(): Promise<{ audit: Audit; state: Integrity }> {
    fill(OLD, 40);
    fill(MONTH, 3);
    const audit = await settled(43);
    renameSync(log.file(OLD), join(log.root, 'kept'));
    await log.settled(audit, 3);
    return { audit, state: await audit.verify({}) };
  }

  test('once acknowledged it is listed as such, and the record is verified again, also after a restart', async () => {
    const { audit, state } = await deleted();
    expect(said(state)).toEqual([`deleted ${OLD} null`]);
    const after = await audit.acknowledge({ ids: idsOf(state) });
    expect(after).toMatchObject({
      state: 'verified',
      findings: [],
      acknowledged: [{ kind: 'deleted', file: OLD, acknowledged_at: expect.any(Number), acknowledged_by: 'operator' }],
    });
    expect(audit.state().integrity).toMatchObject({ state: 'verified', findings: 0 });
    expect(await audit.verify({})).toMatchObject({ state: 'verified', acknowledged: [{ file: OLD }] });
    await audit.close();
    const again = await settled(3);
    expect(await again.verify({})).toMatchObject({ state: 'verified', findings: [], acknowledged: [{ file: OLD }] });
  });

  test('to acknowledge is an operator act, in the chain of the acts', async () => {
    const { audit, state } = await deleted();
    await audit.acknowledge({ ids: idsOf(state) });
    const { rows } = await audit.acts({ limit: 10 });
    expect(rows).toMatchObject([
      { kind: 'acknowledge', who: 'operator', source: 'panel.db', facts: { kind: 'deleted', file: OLD } },
    ]);
    await audit.close();
    const db = openDatabase(panelDb(), { mode: 'write' });
    db?.exec('UPDATE chain_findings SET acknowledged_at = NULL');
    db?.close();
    const again = await settled(3);
    const taken = await again.verify({});
    expect(taken.state).toBe('finding');
    expect(taken.findings.map(({ detail }) => detail).join()).toMatch(/acknowledge \d+ is in the record/);
  });

  test('that comes back and is deleted again is a new finding', async () => {
    const { audit, state } = await deleted();
    await audit.acknowledge({ ids: idsOf(state) });
    renameSync(join(log.root, 'kept'), log.file(OLD));
    await log.settled(audit, 43);
    expect((await audit.verify({})).state).toBe('verified');
    rmSync(log.file(OLD));
    await log.settled(audit, 3);
    const second = await audit.verify({});
    expect(second).toMatchObject({ state: 'finding', acknowledged: [{ file: OLD }] });
    expect(said(second)).toEqual([`deleted ${OLD} null`]);
  });
});

describe('a line that was changed in its place', () => {
  async function changed(): Promise<{ audit: Audit; state: Integrity }> {
    fill(MONTH, 3000);
    const audit = await settled(3000);
    await audit.close();
    change(MONTH, 1500, 'lint');
    const again = await settled(3000);
    return { audit: again, state: await again.verify({}) };
  }

  test('once acknowledged what stands there holds: the same line changed again is a new finding', async () => {
    const { audit, state } = await changed();
    expect(said(state)).toEqual([`changed ${MONTH} 1500`]);
    expect((await audit.acknowledge({ ids: idsOf(state) })).state).toBe('verified');
    expect((await audit.verify({})).state).toBe('verified');
    await audit.close();
    change(MONTH, 1500, 'lent');
    const again = await settled(3000);
    const second = await again.verify({});
    expect(second).toMatchObject({ state: 'finding', acknowledged: [{ line: 1500 }] });
    expect(said(second)).toEqual([`changed ${MONTH} 1500`]);
  });

  test('another line changed later shows, and the log grows as before', async () => {
    const { audit, state } = await changed();
    await audit.acknowledge({ ids: idsOf(state) });
    fill(MONTH, 20);
    await log.settled(audit, 3020);
    expect((await audit.verify({})).state).toBe('verified');
    await audit.close();
    change(MONTH, 2900, 'lint');
    const again = await settled(3020);
    expect(said(await again.verify({}))).toEqual([`changed ${MONTH} 2900`]);
  });

  test('more that differs by then is no part of what was acknowledged: nothing is done', async () => {
    const { audit, state } = await changed();
    await audit.close();
    change(MONTH, 10, 'lint');
    const again = await settled(3000);
    await expect(again.acknowledge({ ids: idsOf(state) })).rejects.toMatchObject({ code: 'conflict', subject: MONTH });
    const now = await again.integrity({});
    expect(now.acknowledged).toEqual([]);
    expect(said(now).sort()).toEqual([`changed ${MONTH} 10`, `changed ${MONTH} 1500`]);
    expect((await again.acknowledge({ ids: idsOf(now) })).state).toBe('verified');
  });
});

test('of two files one is acknowledged, and the other stays open', async () => {
  for (const name of ['2026-08.jsonl', OLD, MONTH]) fill(name, 3);
  const audit = await settled(9);
  for (const name of ['2026-08.jsonl', OLD]) rmSync(log.file(name));
  await log.settled(audit, 3);
  const state = await audit.verify({});
  const one = state.findings.find(({ file }) => file === OLD);
  const after = await audit.acknowledge({ ids: [one?.id ?? 0] });
  expect(after.state).toBe('finding');
  expect(said(after)).toEqual(['deleted 2026-08.jsonl null']);
  expect(audit.state().integrity).toMatchObject({ state: 'finding', findings: 1 });
});

test('a finding that there is not is refused, and one that is acknowledged stays as it is', async () => {
  fill(OLD, 3);
  const audit = await settled(3);
  rmSync(log.file(OLD));
  await log.settled(audit, 0);
  const state = await audit.verify({});
  await expect(audit.acknowledge({ ids: [...idsOf(state), 99] })).rejects.toMatchObject({ code: 'not-found' });
  expect((await audit.integrity({})).acknowledged).toEqual([]);
  const first = await audit.acknowledge({ ids: idsOf(state) });
  const second = await audit.acknowledge({ ids: idsOf(state) });
  expect(second.acknowledged).toEqual(first.acknowledged);
  expect((await audit.acts({ limit: 10 })).rows).toHaveLength(1);
});

describe('an act that differs from the record', () => {
  const grantsDb = (): string => join(log.root, 'state', 'grants.db');
  const sql = (path: string, text: string): void => {
    const db = openDatabase(path, { mode: 'write' });
    db?.exec(text);
    db?.close();
  };
  const terms = { channel: 'telegram', sender_id: 'anna', capability: 'fs:read', expires_at: null, granted_by: null };
  async function recorded(): Promise<void> {
    const grants = createGrantsRepository(grantsDb());
    for (const hour of [10, 11, 12])
      grants.record({ ...terms, target: `~/${hour}/**`, granted_at: `2026-11-20T${hour}:00:00Z` });
    grants.close();
    const audit = await settled(0);
    expect((await audit.verify({})).acts).toBe(3);
    await audit.close();
    expect(existsSync(grantsDb())).toBe(true);
  }

  test('stays different for good, and stays acknowledged; something else in its place is a new finding', async () => {
    await recorded();
    sql(grantsDb(), "UPDATE grants SET target = '/**' WHERE id = 1");
    const audit = await settled(0);
    expect((await audit.acknowledge({ ids: idsOf(await audit.verify({})) })).state).toBe('verified');
    expect((await audit.verify({})).state).toBe('verified');
    await audit.close();
    sql(grantsDb(), "UPDATE grants SET target = '/etc/**' WHERE id = 1");
    const again = await settled(0);
    expect(await again.verify({})).toMatchObject({ state: 'finding', acknowledged: [{ kind: 'act' }] });
  });

  test('set right and altered once more in the same way it is a new finding', async () => {
    await recorded();
    sql(grantsDb(), "UPDATE grants SET target = '/**' WHERE id = 1");
    const audit = await settled(0);
    await audit.acknowledge({ ids: idsOf(await audit.verify({})) });
    sql(grantsDb(), "UPDATE grants SET target = '~/10/**' WHERE id = 1");
    expect((await audit.verify({})).state).toBe('verified');
    sql(grantsDb(), "UPDATE grants SET target = '/**' WHERE id = 1");
    expect((await audit.verify({})).findings).toHaveLength(1);
  });

  test('in the record hides no other: an act altered behind it is found too', async () => {
    await recorded();
    sql(panelDb(), "UPDATE acts SET facts = replace(facts, '~/10', '~/99') WHERE id = 1");
    const audit = await settled(0);
    await audit.acknowledge({ ids: idsOf(await audit.verify({})) });
    expect((await audit.verify({})).state).toBe('verified');
    await audit.close();
    sql(panelDb(), "UPDATE acts SET facts = replace(facts, '~/12', '~/99') WHERE id = 3");
    const again = await settled(0);
    const { findings } = await again.verify({});
    expect(findings.map(({ detail }) => detail).join()).toMatch(/Act 3 \(grant 3\) was changed in the record/);
  });
});
