import { describe, expect, test } from 'vitest';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import { cell, exportRows } from './export.ts';

const row = (seq: number, over: Partial<VerdictRow> = {}): VerdictRow => ({
  seq,
  ts: 1796000000 + seq,
  approved: true,
  reason: 'approved: x',
  judge_kind: 'rule-based-v1',
  score: 0.7,
  blocked_by: null,
  intent: `row ${seq}`,
  executor: 'read_files',
  args_keys: ['path', 'limit'],
  context_keys: ['mode'],
  rule: null,
  file: '2026-11.jsonl',
  offset: seq,
  ...over,
});

/** Pages over some rows, newest first, and how many were asked for. */
function pages(rows: VerdictRow[]): Parameters<typeof exportRows>[0] & { asked: number } {
  const page = ({ before, limit }: { before?: number; limit: number }) => {
    page.asked++;
    const from = before === undefined ? 0 : rows.findIndex(({ seq }) => seq === before) + 1;
    return { rows: rows.slice(from, from + limit), more: rows.length > from + limit };
  };
  page.asked = 0;
  return page;
}

const textOf = async (...args: Parameters<typeof exportRows>): Promise<string> => {
  let text = '';
  for await (const piece of exportRows(...args)) text += piece.text;
  return text;
};

/** A plain reader of RFC 4180. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let value = '';
    if (text[at] === '"') {
      at++;
      for (; !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        value += text[at];
        if (text[at] === '"') at++;
      }
      at++;
    } else while (text[at] !== ',' && text[at] !== '\r') value += text[at++];
    cells.push(value);
    if (text[at] === ',') at++;
    else {
      at += 2;
      lines.push(cells);
      cells = [];
    }
  }
  return lines;
}

describe('export', () => {
  test('all rows, newest first, over several pages; each line stands alone', async () => {
    const rows = Array.from({ length: 1203 }, (_, n) => row(2000 - n));
    const lines = (await textOf(pages(rows), 'jsonl', {})).split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line).intent)).toEqual(rows.map(({ intent }) => intent));
    expect(JSON.parse(lines[0] ?? '')).not.toHaveProperty('seq');
    const csv = parseCsv(await textOf(pages(rows), 'csv', {}));
    expect(csv).toHaveLength(1204);
    expect(csv[1]?.[0]).toBe('2026-11-30T01:26:40.000Z');
  });

  test('what is nothing is an empty file with its columns', async () => {
    expect(await textOf(pages([]), 'csv', {})).toMatch(/^time,approved,.*\r\n$/);
    expect(await textOf(pages([]), 'jsonl', {})).toBe('');
  });

  test('whoever stops reading ends the asking', async () => {
    const page = pages(Array.from({ length: 5000 }, (_, n) => row(9000 - n)));
    for await (const { rows } of exportRows(page, 'jsonl', {})) if (rows >= 500) break;
    expect(page.asked).toBe(1);
  });

  test('a row that goes meanwhile ends it with the fault, not with a short file', async () => {
    const gone = () => {
      throw new Error('its last row is gone');
    };
    await expect(textOf(gone, 'csv', {})).rejects.toThrowError('its last row is gone');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1', '\n=1', '\u00a0=1', '＝1'])(
    '%j is no formula',
    (text) => {
      const [[written = ''] = []] = parseCsv(`${cell(text)}\r\n`);
      expect(written.trimStart().startsWith("'")).toBe(true);
      expect(written).not.toMatch(/^[\s\u00a0]*[=+\-@＝]/);
    },
  );

  test.each(['plain', 'a, b', 'he said "x"', "it's", 'perché; no', ''])('%j is read back as it was', (text) => {
    expect(parseCsv(`${cell(text)}\r\n`)).toEqual([[text]]);
  });

  test('what a terminal or a reader would obey is written out, and JSON still says the same', async () => {
    const intent = 'a\u001b[31mb\u202ec\u200bd\r\ne';
    const csv = await textOf(pages([row(1, { intent })]), 'csv', {});
    const jsonl = await textOf(pages([row(1, { intent })]), 'jsonl', {});
    for (const text of [csv, jsonl])
      for (const mark of ['\u001b', '\u202e', '\u200b']) expect(text).not.toContain(mark);
    expect(parseCsv(csv)[1]?.[6]).toBe('a\\u001b[31mb\\u202ec\\u200bd\\u000d\\u000ae');
    expect(JSON.parse(jsonl).intent).toBe(intent);
  });
});
