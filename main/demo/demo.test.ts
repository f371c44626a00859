import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGrantsRepository } from '../db/grants.ts';
import { createPairingsRepository } from '../db/pairings.ts';
import { resolvePaths } from '../engine/paths.ts';
import { startDemo } from './demo.ts';

let users = '';
beforeEach(() => {
  users = mkdtempSync(join(tmpdir(), 'vaglio-user-'));
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 30, 12) });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(users, { recursive: true, force: true });
});

test('a demo lives in a home of its own, whatever the environment says of files', () => {
  const env = {
    HOME: users,
    PATH: '/bin',
    METNOS_USER_DATA: users,
    METNOS_GRANTS_DB: join(users, 'grants.db'),
    CLAUDE_CONFIG_DIR: users,
    ANTHROPIC_API_KEY: 'k',
  };
  const demo = startDemo(env, Date.now);
  expect(demo.home).not.toBe(users);
  expect(demo.env).toEqual({ PATH: '/bin', HOME: demo.home });
  expect(readdirSync(users)).toEqual([]);
  demo.close();
  expect(existsSync(demo.home)).toBe(false);
  expect(readdirSync(users)).toEqual([]);
});

test('it has a month of verdicts, both kinds of outcome, grants and pairings, and a new verdict each second', () => {
  const demo = startDemo({}, Date.now);
  const paths = resolvePaths({}, demo.home);
  const month = join(paths.verdictLog, '2026-11.jsonl');
  const lines = () => readFileSync(month, 'utf8').trimEnd().split('\n');
  const before = lines();
  const verdicts = before.map((line) => JSON.parse(line));
  expect(verdicts.length).toBeGreaterThan(500);
  expect(new Set(verdicts.map((verdict) => verdict.blocked_by))).toEqual(new Set([null, 'guard']));
  expect(verdicts.every((verdict) => !verdict.reason.includes('unreadable'))).toBe(true);
  expect(statSync(month).mode & 0o777).toBe(0o600);

  vi.advanceTimersByTime(3000);
  expect(lines().length).toBe(before.length + 3);

  const grants = createGrantsRepository(paths.grantsDb);
  const pairings = createPairingsRepository(paths.pairingsDb);
  expect(grants.list({}).length).toBe(5);
  expect(pairings.list().length).toBe(4);
  grants.close();
  pairings.close();
  demo.close();
});
