import { describe, expect, test } from 'vitest';
import type { MatrixCell } from '../../../shared/rpc/policy.ts';
import { countOutcomes, indexCells, moveCell, nextExpiry, openings } from './matrix.logic.ts';

const cells: MatrixCell[] = [
  { level: 'ReadOnly', capability: 'fs:write', outcome: 'denied', rule: 'readonly-other', grant_ids: [] },
  {
    level: 'Supervised',
    capability: 'fs:write',
    outcome: 'approval_required',
    rule: 'supervised-asks',
    grant_ids: [1],
  },
  { level: 'Full', capability: 'fs:write', outcome: 'allowed', rule: 'full-open', grant_ids: [] },
  { level: 'ReadOnly', capability: 'mail:send', outcome: 'denied', rule: 'readonly-other', grant_ids: [] },
  {
    level: 'Supervised',
    capability: 'mail:send',
    outcome: 'approval_required',
    rule: 'supervised-asks',
    grant_ids: [],
  },
  { level: 'Full', capability: 'mail:send', outcome: 'approval_required', rule: 'full-always', grant_ids: [] },
];

describe('moveCell', () => {
  test.each([
    ['ArrowUp', { row: 4, col: 1 }],
    ['ArrowDown', { row: 6, col: 1 }],
    ['ArrowLeft', { row: 5, col: 0 }],
    ['ArrowRight', { row: 5, col: 2 }],
    ['Home', { row: 5, col: 0 }],
    ['End', { row: 5, col: 2 }],
    ['PageUp', { row: 0, col: 1 }],
    ['PageDown', { row: 12, col: 1 }],
  ])('%s moves', (key, to) => {
    expect(moveCell({ row: 5, col: 1 }, key, 13, 3)).toEqual(to);
  });

  test('stops at the edges and leaves other keys alone', () => {
    expect(moveCell({ row: 0, col: 0 }, 'ArrowUp', 13, 3)).toEqual({ row: 0, col: 0 });
    expect(moveCell({ row: 12, col: 2 }, 'ArrowDown', 13, 3)).toEqual({ row: 12, col: 2 });
    expect(moveCell({ row: 12, col: 2 }, 'ArrowRight', 13, 3)).toEqual({ row: 12, col: 2 });
    expect(moveCell({ row: 1, col: 1 }, 'x', 13, 3)).toBeNull();
  });

  test('Control goes to the corners', () => {
    expect(moveCell({ row: 5, col: 1 }, 'Home', 13, 3, true)).toEqual({ row: 0, col: 0 });
    expect(moveCell({ row: 5, col: 1 }, 'End', 13, 3, true)).toEqual({ row: 12, col: 2 });
  });
});

test('a cell is found by level and capability, an unknown one is null', () => {
  const find = indexCells(cells);
  expect(find('Full', 'mail:send')?.rule).toBe('full-always');
  expect(find('Full', 'disk:format')).toBeNull();
});

test('openings name the strictest level that asks and the strictest that lets pass', () => {
  expect(openings(cells, 'fs:write')).toEqual({ asks: 'Supervised', allows: 'Full' });
  expect(openings(cells, 'mail:send')).toEqual({ asks: 'Supervised', allows: null });
});

test('outcomes are counted per level', () => {
  expect(countOutcomes(cells, 'Full')).toEqual({ allowed: 1, approval_required: 1, denied: 0 });
});

test('the next expiry is the nearest of the active grants', () => {
  expect(
    nextExpiry([
      { state: 'active', expires_ms: null },
      { state: 'active', expires_ms: 30 },
      { state: 'active', expires_ms: 20 },
      { state: 'revoked', expires_ms: 10 },
    ]),
  ).toBe(20);
  expect(nextExpiry([{ state: 'active', expires_ms: null }])).toBeNull();
});
