import { expect, test } from 'vitest';
import { policyContract } from '../../shared/rpc/policy.ts';
import { viewGrant } from '../policy/grant-view.ts';
import { createPolicyService } from './policy-service.ts';

const history = {} as Parameters<typeof createPolicyService>[0]['history'];

function grant(id: number, capability: string) {
  const text = { channel: 'web', sender_id: 'a', target: '*', granted_at: '2026-11-01T00:00:00Z' };
  return viewGrant({ id, capability, ...text, expires_at: null, granted_by: null, revoked_at: null }, 0);
}

test('39 cells with outcome, rule and the grants that pierce them', async () => {
  const rows = [
    grant(5, 'fs:read'),
    grant(4, 'fs:read'),
    grant(3, 'mail:send'),
    grant(2, 'fs:delete'),
    grant(1, 'fs:write'),
  ];
  const matrix = await createPolicyService({
    history,
    grants: { list: () => ({ grants: rows, problem: null }) },
  }).matrix({});
  expect(policyContract.matrix.output.parse(matrix)).toEqual(matrix);
  expect(matrix.capabilities).toHaveLength(13);
  expect(matrix.cells).toHaveLength(39);
  expect(new Set(matrix.cells.map(({ level, capability }) => `${level} ${capability}`)).size).toBe(39);
  expect(matrix.cells.filter(({ grant_ids }) => grant_ids.length > 0)).toEqual([
    {
      level: 'ReadOnly',
      capability: 'fs:read',
      outcome: 'approval_required',
      rule: 'readonly-read',
      grant_ids: [5, 4],
    },
    {
      level: 'Supervised',
      capability: 'fs:read',
      outcome: 'approval_required',
      rule: 'supervised-asks',
      grant_ids: [5, 4],
    },
    {
      level: 'Supervised',
      capability: 'fs:write',
      outcome: 'approval_required',
      rule: 'supervised-asks',
      grant_ids: [1],
    },
  ]);
});

test('grants that cannot be read pierce nothing', async () => {
  const matrix = await createPolicyService({
    history,
    grants: { list: () => ({ grants: [], problem: 'locked' }) },
  }).matrix({});
  expect(matrix.cells.flatMap(({ grant_ids }) => grant_ids)).toEqual([]);
});
