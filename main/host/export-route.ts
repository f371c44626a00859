import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { exportFormatSchema, verdictFilterSchema } from '../../shared/rpc/audit.ts';
import { exportRows } from '../audit/export.ts';
import type { AuditService } from '../engine/services.ts';

/**
 * `GET /export?format=csv&executor=...` (panel page, "Audit"): what is shown as a file, streamed at the pace of the
 * reader, ended when he goes. Behind the session, like everything else; the caller has checked that.
 */
const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;
const number = z.coerce.number().optional();
const querySchema = verdictFilterSchema
  .extend({ from_ts: number, to_ts: number, min_score: number, max_score: number, format: exportFormatSchema })
  .strict();

/**
 * @param headers of every answer
 * @returns false for a query that is not understood; nothing was sent then
 */
export async function sendExport(
  audit: AuditService,
  query: string,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<boolean> {
  const asked = querySchema.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (!asked.success) return false;
  const { format, ...rest } = asked.data;
  const filter = verdictFilterSchema.parse(rest);
  const { text, min_score, max_score, ...counted } = filter;
  const isCounted = text === undefined && min_score === undefined && max_score === undefined;
  const total = isCounted ? (await audit.counts({ by: ['outcome'], filter: counted })).total : null;
  // The first page before the headers: what cannot be read is an error then, and not an empty file.
  const pieces = exportRows((page) => audit.page(page), format, filter);
  let piece = await pieces.next();
  response.writeHead(200, {
    ...headers,
    'Content-Type': TYPES[format],
    'Content-Disposition': `attachment; filename="vaglio-audit.${format}"`,
    'Cache-Control': 'no-store',
    ...(total === null ? {} : { 'Vaglio-Rows': String(total) }),
  });
  if (response.req.method === 'HEAD') {
    await pieces.return(undefined);
    response.end();
    return true;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    for (; piece.done !== true; piece = await pieces.next()) {
      if (gone.signal.aborted) break;
      if (!response.write(piece.value.text)) await once(response, 'drain', { signal: gone.signal });
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    await pieces.return(undefined);
  }
  response.end();
  return true;
}
