import type { AutonomyLevel } from '../../../shared/domain/capability.ts';

/** What is supposed instead of what is in force, as chosen and typed. */
export interface SupposedDraft {
  level: AutonomyLevel | 'now';
  /** '' = the one in force. */
  threshold: string;
}
export const AS_IN_FORCE: SupposedDraft = { level: 'now', threshold: '' };

export interface Supposed {
  level?: AutonomyLevel;
  threshold?: number;
}

/** null when the threshold is no number from 0 to 1. A comma counts as a point. */
export function readSupposed(draft: SupposedDraft): Supposed | null {
  const text = draft.threshold.trim().replace(',', '.');
  const threshold = text === '' ? undefined : /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) return null;
  return {
    ...(draft.level === 'now' ? {} : { level: draft.level }),
    ...(threshold === undefined ? {} : { threshold }),
  };
}

/** True when anything else than what is in force is supposed. */
export function supposesAnything(supposed: Supposed): boolean {
  return supposed.level !== undefined || supposed.threshold !== undefined;
}
