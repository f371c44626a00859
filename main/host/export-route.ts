import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { exportFormatSchema, verdictFilterSchema } from '../../shared/rpc/audit.ts';
import { exportRows } from '../audit/export.ts';
import type { AuditService } from '../engine/services.ts';

/**
 * `GET /export?format=csv&executor=...` (panel page, "Audit"): what is shown as a file, streamed at the pace of the
 * reader, ended when he goes. Whoever calls this has checked that the panel asks.
 */
const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;
const number = z.coerce.number().optional();
const querySchema = verdictFilterSchema
  .extend({ from_ts: number, to_ts: number, min_score: number, max_score: number, format: exportFormatSchema })
  .strict();

interface Export {
  headers: Record<string, string>;
  /** Has to be returned where it is not read to its end. */
  pieces: AsyncGenerator<string, void, undefined>;
}

/** @returns null for a query that is not understood @throws what cannot be read: that is an error, and no empty file */
async function openExport(audit: AuditService, query: string): Promise<Export | null> {
  const asked = querySchema.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (!asked.success) return null;
  const { format, ...rest } = asked.data;
  const filter = verdictFilterSchema.parse(rest);
  const { text, min_score, max_score, ...counted } = filter;
  const isCounted = text === undefined && min_score === undefined && max_score === undefined;
  const total = isCounted ? (await audit.counts({ by: ['outcome'], filter: counted })).total : null;
  const rows = exportRows((page) => audit.page(page), format, filter);
  const first = await rows.next();
  async function* pieces() {
    try {
      for (let piece = first; piece.done !== true; piece = await rows.next()) yield piece.value.text;
    } finally {
      await rows.return(undefined);
    }
  }
  const headers = {
    'Content-Type': TYPES[format],
    'Content-Disposition': `attachment; filename="vaglio-audit.${format}"`,
    'Cache-Control': 'no-store',
    ...(total === null ? {} : { 'Vaglio-Rows': String(total) }),
  };
  return { headers, pieces: pieces() };
}

/**
 * The answer of the loopback host.
 *
 * @param headers of every answer
 * @returns false for a query that is not understood; nothing was sent then
 */
export async function sendExport(
  audit: AuditService,
  query: string,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<boolean> {
  const opened = await openExport(audit, query);
  if (opened === null) return false;
  const { pieces } = opened;
  response.writeHead(200, { ...headers, ...opened.headers });
  if (response.req.method === 'HEAD') {
    await pieces.return();
    response.end();
    return true;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    for await (const text of pieces) {
      if (gone.signal.aborted) break;
      if (!response.write(text)) await once(response, 'drain', { signal: gone.signal });
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
  response.end();
  return true;
}

/**
 * The same for the desktop window, whose files come by a scheme of our own.
 *
 * @param headers of every answer
 * @returns null for a query that is not understood
 */
export async function exportResponse(
  audit: AuditService,
  query: string,
  method: 'GET' | 'HEAD',
  headers: Record<string, string>,
): Promise<Response | null> {
  const opened = await openExport(audit, query);
  if (opened === null) return null;
  const { pieces } = opened;
  const init = { headers: { ...headers, ...opened.headers } };
  if (method === 'HEAD') {
    await pieces.return();
    return new Response(null, init);
  }
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const piece = await pieces.next();
      if (piece.done === true) stream.close();
      else stream.enqueue(encoder.encode(piece.value));
    },
    cancel: async () => void (await pieces.return()),
  });
  return new Response(body, init);
}
