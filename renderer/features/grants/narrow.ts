import type { GrantColumn } from './grants.logic.ts';

/** Columns that give way in a narrow window, least needed first. */
export const NARROW: Partial<Record<GrantColumn, string>> = {
  granted_by: 'max-[1400px]:hidden',
  uses: 'max-[1280px]:hidden',
  granted: 'max-[1180px]:hidden',
  last_used: 'max-[1040px]:hidden',
};
