import type { VerdictRow } from '../../shared/domain/verdict.ts';
import { visible } from '../../shared/lib/visible.ts';
import type { ExportFormat, VerdictFilter } from '../../shared/rpc/audit.ts';

/**
 * What is shown, as a file (panel page, "Audit"): JSONL with a row's own names, or CSV as RFC 4180 has it. Newest
 * first, some rows at a time, so that nothing is kept; whoever stops reading ends it. Text from outside stays text:
 * characters that would be obeyed are written out, and no cell of CSV is a formula.
 */
export interface ExportPiece {
  text: string;
  /** Rows up to and with this piece. */
  rows: number;
}

type Page = (asked: {
  filter: VerdictFilter;
  before?: number;
  limit: number;
}) => Promise<{ rows: VerdictRow[]; more: boolean }> | { rows: VerdictRow[]; more: boolean };

const ROWS = 500;
const COLUMNS = [
  'time',
  'approved',
  'blocked_by',
  'rule',
  'executor',
  'score',
  'intent',
  'reason',
  'judge_kind',
  'args_keys',
  'context_keys',
  'file',
  'offset',
] as const;
/** A spreadsheet takes what begins so for a formula, also behind white space. */
const FORMULA = /^[\s\u00a0]*[=+\-@\uff0b\uff0d\uff1d\uff20]/;

/** @throws what `page` throws, also when the last row of a page has gone meanwhile */
export async function* exportRows(
  page: Page,
  format: ExportFormat,
  filter: VerdictFilter,
): AsyncGenerator<ExportPiece> {
  let rows = 0;
  if (format === 'csv') yield { text: `${COLUMNS.join(',')}\r\n`, rows };
  let before: number | undefined;
  for (let more = true; more; ) {
    const answer = await page(before === undefined ? { filter, limit: ROWS } : { filter, before, limit: ROWS });
    rows += answer.rows.length;
    const text = answer.rows.map(format === 'csv' ? csvLine : jsonLine).join('');
    if (text !== '') yield { text, rows };
    before = answer.rows.at(-1)?.seq;
    more = answer.more && before !== undefined;
  }
}

/** Without the row's place in our index, which means nothing elsewhere. */
function jsonLine({ seq: _, ...row }: VerdictRow): string {
  return `${visible(JSON.stringify(row))}\n`;
}

function csvLine(row: VerdictRow): string {
  const cells: Record<(typeof COLUMNS)[number], string> = {
    time: row.ts === null ? '' : new Date(row.ts * 1000).toISOString(),
    approved: String(row.approved),
    blocked_by: cell(row.blocked_by ?? ''),
    rule: cell(row.rule ?? ''),
    executor: cell(row.executor),
    score: row.score === null ? '' : String(row.score),
    intent: cell(row.intent),
    reason: cell(row.reason),
    judge_kind: cell(row.judge_kind),
    args_keys: cell(row.args_keys.join(' ')),
    context_keys: cell(row.context_keys.join(' ')),
    file: row.file,
    offset: String(row.offset),
  };
  return `${COLUMNS.map((column) => cells[column]).join(',')}\r\n`;
}

/** A text as a cell; one that would be a formula begins with an apostrophe. */
export function cell(text: string): string {
  const safe = visible(FORMULA.test(text) ? `'${text}` : text);
  return /[",;'\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
