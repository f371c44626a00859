import type { Migration } from '../migrate.ts';

/**
 * Findings that an operator has acknowledged (quality page, "The record"). `seen` tells what stood there when it was
 * found, where that stays different for good; empty where it does not.
 */
export const acknowledged: Migration = {
  name: 'acknowledged findings',
  up: (db) =>
    db.exec(`
ALTER TABLE chain_findings ADD COLUMN acknowledged_at REAL;
ALTER TABLE chain_findings ADD COLUMN acknowledged_by TEXT;
ALTER TABLE chain_findings ADD COLUMN seen TEXT NOT NULL DEFAULT '';
`),
};
