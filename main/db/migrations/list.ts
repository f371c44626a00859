import type { Migration } from '../migrate.ts';
import { auditIndex } from './0001-audit-index.ts';
import { operator } from './0002-operator.ts';
import { line } from './0003-line.ts';
import { limits } from './0004-limits.ts';
import { auditRecord } from './0005-audit-record.ts';
import { evaluations } from './0006-evaluations.ts';
import { cells } from './0007-cells.ts';
import { acknowledged } from './0008-acknowledged.ts';

/** Every migration of panel.db, in order; the place in the list is the version. Never reorder, never edit a released one. */
export const MIGRATIONS: readonly Migration[] = [
  auditIndex,
  operator,
  line,
  limits,
  auditRecord,
  evaluations,
  cells,
  acknowledged,
];
