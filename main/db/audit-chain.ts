import type { Finding } from '../../shared/domain/integrity.ts';
import type { WriteDb } from './open.ts';

/** The record's tables in panel.db (quality page, "The record"): blocks of the chain, and what was found. */

/** A stretch of one file: whole lines, but for the last block, which may end in a run of NUL bytes. */
export interface StoredBlock {
  number: number;
  from_offset: number;
  to_offset: number;
  first_line: number;
  lines: number;
  /** SHA-256 of the bytes, hex. */
  hash: string;
  /** A checksum of four bytes, little endian, for each line. */
  marks: Buffer;
  /** SHA-256 over the link before and this block, hex. */
  link: string;
  /** Time of the newest row up to here, Unix seconds. */
  last_at: number;
}

export type NewFinding = Omit<Finding, 'id' | 'acknowledged_at' | 'acknowledged_by'> & {
  /** Tells what stands there now, where it may stay so for good: empty otherwise. */
  seen: string;
};

export interface ChainStore {
  put(file: string, block: StoredBlock): void;
  /** In order. */
  blocks(file: string): StoredBlock[];
  last(file: string): StoredBlock | null;
  linkOf(file: string, number: number): string | null;
  files(): string[];
  drop(file: string): void;
  /** Lines in the record, and time of the newest one. */
  totals(): { lines: number; last_at: number | null };
  /**
   * Keeps a finding, once: the same thing found again is the same finding. One that was acknowledged is the same only
   * where `seen` is, too.
   * @returns its id
   */
  addFinding(finding: NewFinding): number;
  /** Newest first. */
  findings(which: 'open' | 'acknowledged', limit: number): Finding[];
  /** null when there is none with this id. */
  finding(id: number): Finding | null;
  /** Open ones. */
  countFindings(): number;
  /** @param at Unix seconds */
  acknowledge(ids: readonly number[], at: number, by: string): void;
  /** What was acknowledged and no longer differs is a new finding when it differs again. @param found that still differs */
  forgetSeen(found: ReadonlySet<number>): void;
  get(key: string): string | null;
  set(key: string, value: string): void;
}

const FINDING = 'id, kind, file, line, last_line, found_at, detail, acknowledged_at, acknowledged_by';
const COLUMNS = 'number, from_offset, to_offset, first_line, lines, hash, marks, link, last_at';

export function createChainStore(db: WriteDb): ChainStore {
  const put = db.prepare(`INSERT INTO chain_blocks (file, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET to_offset = excluded.to_offset, lines = excluded.lines, hash = excluded.hash,
    marks = excluded.marks, link = excluded.link, last_at = excluded.last_at`);
  const blocks = db.prepare(`SELECT ${COLUMNS} FROM chain_blocks WHERE file = ? ORDER BY number`);
  const last = db.prepare(`SELECT ${COLUMNS} FROM chain_blocks WHERE file = ? ORDER BY number DESC LIMIT 1`);
  const link = db.prepare('SELECT link FROM chain_blocks WHERE file = ? AND number = ?').pluck();
  const files = db.prepare('SELECT DISTINCT file FROM chain_blocks ORDER BY file').pluck();
  const drop = db.prepare('DELETE FROM chain_blocks WHERE file = ?');
  const totals = db.prepare('SELECT coalesce(sum(lines), 0) AS lines, max(last_at) AS last_at FROM chain_blocks');
  const same = db
    .prepare(
      `SELECT id FROM chain_findings WHERE kind = ? AND file = ? AND line IS ? AND last_line IS ? AND detail = ?
       AND (acknowledged_at IS NULL OR (seen = ? AND seen <> '')) ORDER BY acknowledged_at IS NULL DESC, id DESC`,
    )
    .pluck();
  const addFinding = db.prepare(
    'INSERT INTO chain_findings (kind, file, line, last_line, found_at, detail, seen) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const seeFinding = db.prepare('UPDATE chain_findings SET seen = ? WHERE id = ?');
  const openFindings = db.prepare(
    `SELECT ${FINDING} FROM chain_findings WHERE acknowledged_at IS NULL ORDER BY id DESC LIMIT ?`,
  );
  const acknowledgedFindings = db.prepare(
    `SELECT ${FINDING} FROM chain_findings WHERE acknowledged_at IS NOT NULL ORDER BY acknowledged_at DESC, id DESC LIMIT ?`,
  );
  const finding = db.prepare(`SELECT ${FINDING} FROM chain_findings WHERE id = ?`);
  const countFindings = db.prepare('SELECT count(*) FROM chain_findings WHERE acknowledged_at IS NULL').pluck();
  const acknowledge = db.prepare(
    'UPDATE chain_findings SET acknowledged_at = ?, acknowledged_by = ? WHERE id = ? AND acknowledged_at IS NULL',
  );
  const seen = db.prepare("SELECT id FROM chain_findings WHERE acknowledged_at IS NOT NULL AND seen <> ''").pluck();
  const get = db.prepare('SELECT value FROM chain_state WHERE key = ?').pluck();
  const set = db.prepare(
    'INSERT INTO chain_state (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    put(file, b) {
      put.run(file, b.number, b.from_offset, b.to_offset, b.first_line, b.lines, b.hash, b.marks, b.link, b.last_at);
    },
    blocks: (file) => blocks.all(file) as StoredBlock[],
    last: (file) => (last.get(file) as StoredBlock | undefined) ?? null,
    linkOf: (file, number) => (link.get(file, number) as string | undefined) ?? null,
    files: () => files.all() as string[],
    drop: (file) => void drop.run(file),
    totals: () => totals.get() as { lines: number; last_at: number | null },
    addFinding({ kind, file, line, last_line, found_at, detail, seen: now }) {
      const known = same.get(kind, file, line, last_line, detail, now) as number | undefined;
      if (known === undefined)
        return Number(addFinding.run(kind, file, line, last_line, found_at, detail, now).lastInsertRowid);
      seeFinding.run(now, known);
      return known;
    },
    findings: (which, limit) => (which === 'open' ? openFindings : acknowledgedFindings).all(limit) as Finding[],
    finding: (id) => (finding.get(id) as Finding | undefined) ?? null,
    countFindings: () => countFindings.get() as number,
    acknowledge(ids, at, by) {
      for (const id of ids) acknowledge.run(at, by, id);
    },
    forgetSeen(found) {
      for (const id of seen.all() as number[]) if (!found.has(id)) seeFinding.run('', id);
    },
    get: (key) => (get.get(key) as string | undefined) ?? null,
    set: (key, value) => void set.run(key, value),
  };
}
