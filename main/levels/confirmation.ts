import { createHash } from 'node:crypto';
import { AUTONOMY_LEVELS, type AutonomyLevel, CAPABILITY_NAMES, type Outcome } from '../../shared/domain/capability.ts';
import type { GrantView } from '../../shared/domain/grant.ts';
import type { LevelPreview, LevelScope } from '../../shared/domain/level.ts';
import { tableOutcome } from '../policy/table.ts';

const WIDTH: Readonly<Record<Outcome, number>> = { denied: 0, approval_required: 1, allowed: 2 };

function direction(from: AutonomyLevel, to: AutonomyLevel): LevelPreview['direction'] {
  const step = AUTONOMY_LEVELS.indexOf(to) - AUTONOMY_LEVELS.indexOf(from);
  if (step === 0) return 'same';
  return step > 0 ? 'raise' : 'lower';
}

/**
 * What a change of level does (pipeline page, "Autonomy level"): the cells that change, and the grants
 * that begin to count. Pure.
 *
 * @param grants those of the scope; the ones that change nothing are left out here
 */
export function previewChange(
  scope: LevelScope,
  from: AutonomyLevel,
  to: AutonomyLevel,
  grants: readonly GrantView[],
): LevelPreview {
  const cells = CAPABILITY_NAMES.map((capability) => {
    const [before, after] = [tableOutcome(from, capability), tableOutcome(to, capability)];
    return { capability, from: before, to: after, opens: WIDTH[after] > WIDTH[before] };
  }).filter((cell) => cell.from !== cell.to);
  const grants_live = grants.filter(
    ({ state, no_effect, capability }) =>
      state === 'active' &&
      no_effect === null &&
      cells.some((cell) => cell.capability === capability && cell.from === 'denied' && cell.to === 'approval_required'),
  );
  const shown = { scope, from, to, direction: direction(from, to), cells, grants_live };
  return { ...shown, confirmation: confirmationOf(shown) };
}

/** Stands for exactly what was shown: another cell, another grant, other terms of one give another text. */
function confirmationOf(shown: Omit<LevelPreview, 'confirmation'>): string {
  const { scope, from, to, cells, grants_live } = shown;
  const who = scope.kind === 'pairing' ? [scope.channel, scope.sender_id] : [];
  const grants = grants_live.map(({ id, channel, sender_id, capability, target, expires_at }) => [
    id,
    channel,
    sender_id,
    capability,
    target,
    expires_at,
  ]);
  const text = JSON.stringify([scope.kind, who, from, to, cells.map(({ capability, to }) => [capability, to]), grants]);
  return createHash('sha256').update(text).digest('base64url');
}
