import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfigFile } from './config-file.ts';
import { loadOverrides, type PolicyOptions, readPolicyOptions } from './policy-options.ts';

let folder: string;
let config: string;
let overrides: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-policy-options-'));
  config = join(folder, 'config.yaml');
  overrides = join(folder, 'policy_overrides.toml');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function read(text: string): Promise<PolicyOptions> {
  writeFileSync(config, text);
  return readPolicyOptions(await readConfigFile(config));
}

const OFF = { rate: null, cost: null, staleAfterDays: null };

test.each(['', 'policy:\n', 'other: 1\n', 'policy: {rate_limits: {exceeded: denied}}'])(
  '%j sets nothing',
  async (text) => {
    expect(await read(text)).toEqual(OFF);
  },
);

test('all of it', async () => {
  const text = `policy:
  rate_limits:
    exceeded: denied
    per_sender: {burst: 30, per_minute: 60}
    capabilities:
      "network:http": {burst: 10, per_minute: 0.5}
      fs:write: {burst: 1, per_minute: 1}
  cost: {ask_above: 0.05, deny_above: 1}
  stale_after_days: 90
`;
  expect(await read(text)).toEqual({
    rate: {
      exceeded: 'denied',
      per_sender: { burst: 30, per_minute: 60 },
      capabilities: { 'network:http': { burst: 10, per_minute: 0.5 }, 'fs:write': { burst: 1, per_minute: 1 } },
    },
    cost: { ask_above: 0.05, deny_above: 1 },
    staleAfterDays: 90,
  });
});

test('an exceeded limit asks unless it says otherwise; a ceiling of either kind is enough', async () => {
  expect((await read('policy: {rate_limits: {per_sender: {burst: 1, per_minute: 1}}}')).rate?.exceeded).toBe(
    'approval_required',
  );
  expect((await read('policy: {cost: {ask_above: 0}}')).cost).toEqual({ ask_above: 0, deny_above: null });
  expect((await read('policy: {cost: {deny_above: 2}}')).cost).toEqual({ ask_above: 2, deny_above: 2 });
});

describe('a mistake stops the start with its line', () => {
  test.each([
    ['policy:\n  rate_limit: {}', 2],
    ['policy:\n  rate_limits:\n    exceeded: allowed', 3],
    ['policy:\n  rate_limits:\n    per_sender:\n      burst: 3', 3],
    ['policy:\n  rate_limits:\n    per_sender:\n      burst: 0\n      per_minute: 1', 4],
    ['policy:\n  rate_limits:\n    per_sender:\n      burst: 1\n      per_minute: 0', 5],
    ['policy:\n  rate_limits:\n    per_sender:\n      burst: 1\n      per_minute: .inf', 5],
    ['policy:\n  rate_limits:\n    per_sender:\n      burst: 1\n      per_minute: 1\n      per_hour: 1', 6],
    ['policy:\n  rate_limits:\n    capabilities:\n      fs:delete: {burst: 1, per_minute: 1}', 4],
    ['policy:\n  rate_limits:\n    capabilities:\n      fs:read:\n        burst: many\n        per_minute: 1', 5],
    ['policy:\n  rate_limits:\n    capabilities: [fs:read]', 3],
    ['policy:\n  cost:\n    ask_above: -1', 3],
    ['policy:\n  cost:\n    ask_above: .nan', 3],
    ['policy:\n  cost:\n    ask: 1', 3],
    ['policy:\n  cost:\n    ask_above:', 2],
    ['policy:\n  stale_after_days: 0', 2],
    ['policy:\n  stale_after_days: 1.5', 2],
    ['policy: strict', 1],
  ])('%j: line %i', async (text, line) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'bad-input',
      subject: config,
      message: expect.stringContaining(`${config}, line ${line}: `),
    });
  });
});

describe('policy_overrides.toml', () => {
  const fault = () => {
    try {
      loadOverrides(overrides);
    } catch (error) {
      return error;
    }
    return null;
  };

  test('a missing one overrides nothing, a good one is read', () => {
    expect(loadOverrides(overrides)).toBeNull();
    writeFileSync(overrides, '[[profile]]\n[profile.any]\n"fs:write" = "denied"');
    expect(loadOverrides(overrides)).toHaveLength(1);
  });

  test('a broken one stops with the line', () => {
    writeFileSync(overrides, '[[profile]]\n[profile.any]\n"fs:write" = "allowed"');
    expect(fault()).toMatchObject({ code: 'bad-input', message: expect.stringContaining(`${overrides}, line 3: `) });
  });

  test('one that cannot be read stops as well: what it forbids would be allowed', () => {
    mkdirSync(overrides);
    expect(fault()).toMatchObject({ code: 'unreadable', subject: overrides });
    rmSync(overrides, { recursive: true });
    writeFileSync(overrides, Buffer.from([0x23, 0xff]));
    expect(fault()).toMatchObject({ code: 'bad-input', subject: overrides });
  });
});
