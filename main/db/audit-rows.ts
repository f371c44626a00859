/** Rows in a row, and between which times they lie. */
export interface Span {
  first_seq: number;
  last_seq: number;
  min_at: number;
  max_at: number;
}

const ROWS_PER_SPAN = 512;

/**
 * A statement that inserts so many verdicts of one file in a row: `seq` of the first, `file`, and for each its
 * offset, length, at, kind_id, say_id, intent and reason.
 */
export function insertVerdicts(rows: number): string {
  const values = Array.from({ length: rows }, (_, n) => `(@seq + ${n}, @file, ?, ?, ?, ?, ?, ?, ?)`);
  return `INSERT INTO verdicts (seq, file_id, offset, length, at, kind_id, say_id, intent, reason)
    VALUES ${values.join()}`;
}

/** A statement that inserts so many rows at once. */
export function insertOf(table: string, columns: string, rows: number): string {
  const values = `(${columns
    .split(',')
    .map(() => '?')
    .join()})`;
  return `INSERT INTO ${table} (${columns}) VALUES ${Array.from({ length: rows }, () => values).join()}`;
}

/** @param firstSeq seq of the first row */
export function spansOf(rows: readonly { at: number }[], firstSeq: number): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_SPAN) {
    const to = Math.min(rows.length, from + ROWS_PER_SPAN);
    let [min_at, max_at] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let n = from; n < to; n++) {
      const at = rows[n]?.at ?? 0;
      if (at < min_at) min_at = at;
      if (at > max_at) max_at = at;
    }
    spans.push({ first_seq: firstSeq + from, last_seq: firstSeq + to - 1, min_at, max_at });
  }
  return spans;
}
