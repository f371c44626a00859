import { type DecisionRow, decisionRowSchema } from '../../shared/domain/decision.ts';
import { followFile } from './followed.ts';
import { isMissingTable, openDatabase, type ReadDb } from './open.ts';

/** The kept answers of our own line that name a turn (pipeline page, "Turns"), read from panel.db. */
export interface TurnDecisions {
  /** With ids above `id`, in their order; `restarted` when the file is another one than at the last call. */
  after(id: number, limit: number): { rows: DecisionRow[]; restarted: boolean };
  ofTurn(turnId: string): DecisionRow[];
  /** The one whose line in the verdict log has this `ts`, Unix seconds. */
  ofVerdict(ts: number): DecisionRow | null;
  /** Time of the oldest answer that is still kept, Unix ms; null when there is none. */
  oldest(): number | null;
  close(): void;
}

const MOST_OF_TURN = 5000;

/** Opens nothing before it is asked. Each method throws a UserError that names the file. */
export function createTurnDecisions(path: string, options: { busyMs?: number } = {}): TurnDecisions {
  let opened = 0;
  let seen = 0;
  const file = followFile(path, () => {
    const db = openDatabase(path, { ...options, mode: 'read' });
    if (db !== null) opened++;
    return db;
  });

  const ask = <T>(none: T, work: (db: ReadDb) => T): T => {
    try {
      return file.use((db) => ({ value: work(db) }))?.value ?? none;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      // A file from before the line was there.
      if (isMissingTable(cause ?? error)) return none;
      throw error;
    }
  };

  return {
    after(id, limit) {
      return ask({ rows: [], restarted: false }, (db) => {
        const restarted = seen !== 0 && opened !== seen;
        seen = opened;
        const from = restarted ? 0 : id;
        const select = 'SELECT * FROM decisions WHERE id > ? AND turn_id IS NOT NULL ORDER BY id LIMIT ?';
        return { rows: rowsOf(db.prepare(select).all(from, limit)), restarted };
      });
    },
    ofTurn: (turnId) =>
      ask([], (db) =>
        rowsOf(db.prepare('SELECT * FROM decisions WHERE turn_id = ? ORDER BY id LIMIT ?').all(turnId, MOST_OF_TURN)),
      ),
    ofVerdict: (ts) =>
      ask(null, (db) => rowsOf(db.prepare('SELECT * FROM decisions WHERE verdict_ts = ? LIMIT 1').all(ts))[0] ?? null),
    oldest: () => ask(null, (db) => db.prepare('SELECT min(at) FROM decisions').pluck().get() as number | null),
    close: () => file.close(),
  };
}

/** A row that another version wrote otherwise is left out, not guessed at. */
function rowsOf(stored: unknown[]): DecisionRow[] {
  return (stored as { stages: string }[]).flatMap((row) => {
    try {
      return [decisionRowSchema.parse({ ...row, stages: JSON.parse(row.stages) })];
    } catch {
      return [];
    }
  });
}
