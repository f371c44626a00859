import {
  AUTONOMY_LEVELS,
  type AutonomyLevel,
  type CapabilityName,
  type Outcome,
} from '../../../shared/domain/capability.ts';
import type { Fired, MatrixCell } from '../../../shared/rpc/policy.ts';

/** Place of a cell in the grid: row = capability in registry order, column = level. */
export interface CellPosition {
  row: number;
  col: number;
}

/** Where a key moves the focus, or null for a key that moves nothing. Stops at the edges, as a grid does. */
export function moveCell(at: CellPosition, key: string, rows: number, cols: number, ctrl = false): CellPosition | null {
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, at.row - 1), col: at.col };
    case 'ArrowDown':
      return { row: Math.min(rows - 1, at.row + 1), col: at.col };
    case 'ArrowLeft':
      return { row: at.row, col: Math.max(0, at.col - 1) };
    case 'ArrowRight':
      return { row: at.row, col: Math.min(cols - 1, at.col + 1) };
    case 'Home':
      return { row: ctrl ? 0 : at.row, col: 0 };
    case 'End':
      return { row: ctrl ? rows - 1 : at.row, col: cols - 1 };
    case 'PageUp':
      return { row: 0, col: at.col };
    case 'PageDown':
      return { row: rows - 1, col: at.col };
    default:
      return null;
  }
}

/** Finds cells by level and capability without a scan each. */
export function indexCells(
  cells: readonly MatrixCell[],
): (level: AutonomyLevel, capability: string) => MatrixCell | null {
  const byKey = new Map(cells.map((cell) => [`${cell.level} ${cell.capability}`, cell]));
  return (level, capability) => byKey.get(`${level} ${capability}`) ?? null;
}

export interface Openings {
  /** Strictest level at which a person is asked; null when there is none. */
  asks: AutonomyLevel | null;
  /** Strictest level at which it passes without a question; null when there is none. */
  allows: AutonomyLevel | null;
}

/** Which levels would open a capability, read from the table as the engine sent it. */
export function openings(cells: readonly MatrixCell[], capability: CapabilityName): Openings {
  const find = indexCells(cells);
  const first = (outcome: Outcome) =>
    AUTONOMY_LEVELS.find((level) => find(level, capability)?.outcome === outcome) ?? null;
  return { asks: first('approval_required'), allows: first('allowed') };
}

/** How many cells of a level have each outcome. */
export function countOutcomes(cells: readonly MatrixCell[], level: AutonomyLevel): Record<Outcome, number> {
  const counts: Record<Outcome, number> = { allowed: 0, approval_required: 0, denied: 0 };
  for (const cell of cells) if (cell.level === level) counts[cell.outcome] += 1;
  return counts;
}

/** The first instant (ms) at which one of the grants runs out; null when none will. */
export function nextExpiry(grants: readonly { state: string; expires_ms: number | null }[]): number | null {
  let next: number | null = null;
  for (const { state, expires_ms } of grants) {
    if (state === 'active' && expires_ms !== null && (next === null || expires_ms < next)) next = expires_ms;
  }
  return next;
}

/** How often a cell fired; null where that is not known: nothing is kept, or what is kept could not be read. */
export function firedIn(fired: Fired, level: AutonomyLevel, capability: string): number | null {
  const found = fired.cells.find((cell) => cell.level === level && cell.capability === capability)?.calls;
  if (found !== undefined) return found;
  return fired.kept.problem !== null || fired.kept.days === 0 ? null : 0;
}
