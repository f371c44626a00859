import {
  compactActionSchema,
  type FinalDecision,
  type Flow,
  flowSchema,
  type ProposalAnswer,
  type ProposalRow,
  proposalAnswerSchema,
  vaglioResultSchema,
} from '../../shared/domain/constitution.ts';
import type { ReadDb, WriteDb } from './open.ts';

/** What users asked for themselves is kept as long as the line's answers are (pipeline page); proposals stay. */
const KEPT_REACTIVE_MS = 30 * 24 * 60 * 60 * 1000;

export type NewEvaluation = Omit<ProposalRow, 'id' | 'answer' | 'answered_at' | 'targets'> & {
  targets: readonly string[];
  /** `YYYY-MM-DD`, local. */
  day: string;
};

interface Row {
  id: number;
  at: number;
  flow: string;
  capability: string | null;
  targets: string;
  action: string;
  fingerprint: string;
  result: string;
  answer: string | null;
  answered_at: number | null;
}

/** A judged proposal, as far as a threshold is concerned. */
export interface JudgedPoint {
  expected_alignment: number;
  before_bother: number;
  answer: ProposalAnswer | null;
}

export function publishedOn(db: ReadDb, day: string): number {
  const count = db.prepare("SELECT count(*) FROM evaluations WHERE day = ? AND decision = 'publish'").pluck().get(day);
  return Number(count);
}

export function addEvaluation(db: WriteDb, { action, targets, result, day, ...rest }: NewEvaluation): void {
  db.prepare("DELETE FROM evaluations WHERE flow = 'reactive' AND at < ?").run(rest.at - KEPT_REACTIVE_MS);
  db.prepare(
    `INSERT INTO evaluations
       (at, day, flow, decision, capability, targets, action, fingerprint, result, alignment, before_bother)
     VALUES (:at, :day, :flow, :decision, :capability, :targets, :action, :fingerprint, :result, :alignment, :before)`,
  ).run({
    ...rest,
    day,
    decision: result.final_decision,
    targets: JSON.stringify(targets),
    action: JSON.stringify(action),
    result: JSON.stringify(result),
    alignment: result.terms?.expected_alignment ?? null,
    before: result.terms?.before_bother ?? null,
  });
}

/** Newest first; `before` is an id. */
export function listEvaluations(
  db: ReadDb,
  asked: {
    flow?: Flow | undefined;
    decision?: FinalDecision | undefined;
    answered?: boolean | undefined;
    before?: number | undefined;
    limit: number;
  },
): ProposalRow[] {
  const conditions = [
    asked.flow === undefined ? null : 'flow = :flow',
    asked.decision === undefined ? null : 'decision = :decision',
    asked.answered === undefined ? null : `answer IS ${asked.answered ? 'NOT NULL' : 'NULL'}`,
    asked.before === undefined ? null : 'id < :before',
  ].filter((one) => one !== null);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const { flow = null, decision = null, before = null, limit } = asked;
  const rows = db
    .prepare(`SELECT * FROM evaluations ${where} ORDER BY id DESC LIMIT :limit`)
    .all({ flow, decision, before, limit });
  return (rows as Row[]).map(toRow);
}

/** Deferred on that day and not answered, best fit first; those that were not judged come last. */
export function deferredOn(db: ReadDb, day: string, limit: number): ProposalRow[] {
  const rows = db
    .prepare(
      `SELECT * FROM evaluations WHERE day = ? AND decision = 'defer' AND answer IS NULL
       ORDER BY before_bother DESC NULLS LAST, id LIMIT ?`,
    )
    .all(day, limit);
  return (rows as Row[]).map(toRow);
}

export function findEvaluation(db: ReadDb, id: number): ProposalRow | null {
  const row = db.prepare('SELECT * FROM evaluations WHERE id = ?').get(id) as Row | undefined;
  return row === undefined ? null : toRow(row);
}

export function answerEvaluation(db: WriteDb, id: number, answer: ProposalAnswer, at: number): void {
  db.prepare('UPDATE evaluations SET answer = ?, answered_at = ? WHERE id = ?').run(answer, at, id);
}

/** Proposals that the judge answered, newest first. */
export function judgedPoints(db: ReadDb, limit: number): JudgedPoint[] {
  const rows = db
    .prepare(
      `SELECT alignment, before_bother, answer FROM evaluations
       WHERE flow = 'proactive' AND alignment IS NOT NULL ORDER BY id DESC LIMIT ?`,
    )
    .all(limit) as { alignment: number; before_bother: number; answer: string | null }[];
  return rows.map(({ alignment, before_bother, answer }) => ({
    expected_alignment: alignment,
    before_bother,
    answer: proposalAnswerSchema.nullable().parse(answer),
  }));
}

export interface Unwanted {
  fingerprint: string;
  kind: string;
  targets: string[];
  /** Unix time, ms. */
  since: number;
}

export function isUnwanted(db: ReadDb, fingerprint: string): boolean {
  return db.prepare('SELECT 1 FROM unwanted_proposals WHERE fingerprint = ?').get(fingerprint) !== undefined;
}

export function addUnwanted(db: WriteDb, { fingerprint, kind, targets, since }: Unwanted): void {
  db.prepare('INSERT OR IGNORE INTO unwanted_proposals (fingerprint, kind, targets, since) VALUES (?, ?, ?, ?)').run(
    fingerprint,
    kind,
    JSON.stringify(targets),
    since,
  );
}

/** @returns false when it was not there */
export function dropUnwanted(db: WriteDb, fingerprint: string): boolean {
  return db.prepare('DELETE FROM unwanted_proposals WHERE fingerprint = ?').run(fingerprint).changes > 0;
}

/** Newest first. */
export function listUnwanted(db: ReadDb): Unwanted[] {
  const rows = db.prepare('SELECT * FROM unwanted_proposals ORDER BY since DESC, fingerprint LIMIT 1000').all();
  return (rows as (Omit<Unwanted, 'targets'> & { targets: string })[]).map((row) => ({
    ...row,
    targets: JSON.parse(row.targets),
  }));
}

function toRow({
  id,
  at,
  flow,
  capability,
  targets,
  action,
  fingerprint,
  result,
  answer,
  answered_at,
}: Row): ProposalRow {
  return {
    id,
    at,
    flow: flowSchema.parse(flow),
    capability,
    targets: JSON.parse(targets),
    action: compactActionSchema.parse(JSON.parse(action)),
    result: vaglioResultSchema.parse(JSON.parse(result)),
    fingerprint,
    answer: proposalAnswerSchema.nullable().parse(answer),
    answered_at,
  };
}
