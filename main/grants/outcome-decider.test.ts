import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPanelStore, type PanelStore } from '../db/panel-store.ts';
import { createOutcomeDecider, type PolicyLimits } from './outcome-decider.ts';

let folder: string;
let panel: PanelStore;
let now: number;
let errors: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-decider-'));
  panel = createPanelStore(join(folder, 'panel.db'));
  now = 1_000_000;
  errors = [];
});
afterEach(() => {
  panel.close();
  rmSync(folder, { recursive: true, force: true });
});

const CALL = {
  level: 'Full',
  capability: 'network:http',
  channel: 'telegram',
  sender_id: 'anna',
  target: 'example.org',
};
const NO_LIMITS: PolicyLimits = { rate: null, cost: null, overrides: null };
const RATE: PolicyLimits = {
  ...NO_LIMITS,
  rate: {
    capabilities: { 'network:http': { burst: 2, per_minute: 60 } },
    per_sender: { burst: 3, per_minute: 1 },
    exceeded: 'denied',
  },
};

function decider(limits: PolicyLimits) {
  return createOutcomeDecider({
    grants: { findGrant: () => 7 },
    panel,
    clock: () => now,
    limits,
    onError: (error) => errors.push(error),
  });
}

test('without limits nothing is kept, and the panel database is not looked at', () => {
  const { decide } = decider(NO_LIMITS);
  expect(decide(CALL).outcome).toBe('allowed');
  expect(decide({ ...CALL, level: 'Supervised' })).toMatchObject({ outcome: 'allowed', grant_id: 7 });
  panel.close();
  writeFileSync(join(folder, 'panel.db'), 'damaged '.repeat(200));
  expect(decide(CALL).outcome).toBe('allowed');
  expect(errors).toEqual([]);
});

test('a bucket for the capability, one for the sender, both over a restart', () => {
  const first = decider(RATE);
  expect(first.decide(CALL).outcome).toBe('allowed');
  expect(first.decide(CALL).outcome).toBe('allowed');
  expect(first.decide(CALL)).toMatchObject({ outcome: 'denied', rule: 'policy:rate' });
  // Another sender shares the capability's bucket, another capability the sender's.
  expect(first.decide({ ...CALL, sender_id: 'roberto' }).outcome).toBe('denied');
  const other = { ...CALL, capability: 'fs:read', target: '~/a' };
  panel.close();
  panel = createPanelStore(join(folder, 'panel.db'));
  const second = decider(RATE);
  expect(second.decide(other).outcome).toBe('allowed');
  expect(second.decide(other).outcome).toBe('denied');
  expect(second.decide({ ...other, sender_id: 'roberto' }).outcome).toBe('allowed');
  now += 60_000;
  expect(second.decide(CALL).outcome).toBe('allowed');
});

test('a call with many targets takes one token, and each target has to pass all else', () => {
  const { decide } = decider({ ...RATE, cost: { ask_above: 0, deny_above: null } });
  decide(CALL);
  expect(decide(CALL).outcome).toBe('allowed');
  for (let i = 0; i < 5; i += 1) expect(decide(CALL, { further: true }).outcome).toBe('allowed');
  expect(decide({ ...CALL, level: 'ReadOnly' }, { further: true }).outcome).toBe('denied');
  expect(decide({ ...CALL, capability: 'llm:online', price: 1 }, { further: true }).rule).toBe('policy:cost');
  expect(decide(CALL).outcome).toBe('denied');
});

test('trying out takes nothing, and says what would be', () => {
  const { decide, tryOut } = decider(RATE);
  for (let i = 0; i < 5; i += 1) expect(tryOut(CALL).outcome).toBe('allowed');
  decide(CALL);
  decide(CALL);
  expect(tryOut(CALL).outcome).toBe('denied');
});

test('buckets that cannot be kept let nothing pass [security]', () => {
  panel.close();
  writeFileSync(join(folder, 'panel.db'), 'damaged '.repeat(200));
  const { decide, tryOut } = decider(RATE);
  for (const ask of [decide, tryOut]) {
    expect(ask(CALL)).toMatchObject({ outcome: 'approval_required', rule: 'policy:error' });
  }
  expect(errors).toHaveLength(2);
});

test('buckets of senders that never come back do not pile up', () => {
  const { decide } = decider(RATE);
  decide({ ...CALL, capability: 'fs:read', sender_id: 'once' });
  now += 200_000;
  for (let i = 0; i < 1000; i += 1) decide({ ...CALL, capability: 'fs:read', sender_id: 'busy' });
  expect(panel.read((db) => db.prepare('SELECT count(*) FROM rate_buckets').pluck().get())).toBe(1);
});
