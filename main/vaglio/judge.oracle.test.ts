import { expect, test } from 'vitest';
import { caseLines } from './cases.fixture.ts';
import type { PasswdLookup } from './expand-user.ts';
import { judge } from './judge.ts';

// The users that the answers were made with.
const USERS: Readonly<Record<string, string>> = {
  root: '/root',
  sys: '/dev',
  daemon: '/usr/sbin',
  nobody: '/nonexistent',
};
const passwd: PasswdLookup = (user) => (Object.hasOwn(USERS, user) ? (USERS[user] ?? null) : null);
const base = { threshold: 0.3, clock: () => 0, passwd };

const oracle = caseLines('vaglio-oracle.jsonl');
test.skipIf(oracle === null)('every call of the oracle gets the answer of the original', () => {
  const differences: unknown[] = [];
  for (const line of oracle ?? []) {
    const { id, intent, executor, args, context, home, expect: wanted } = JSON.parse(line);
    const got = judge(intent, executor, args, context, { ...base, home });
    const same = wanted.error
      ? got.blocked_by === 'guard' && !got.approved
      : got.approved === wanted.approved &&
        got.blocked_by === wanted.blocked_by &&
        got.score === wanted.score &&
        got.judge_kind === wanted.judge_kind &&
        (wanted.reason === undefined || got.reason === wanted.reason);
    if (!same) differences.push({ id, got, wanted });
  }
  expect(oracle?.length).toBe(3000);
  expect(differences).toEqual([]);
});
