import type { ExportFormat, VerdictFilter } from '../../../shared/rpc/audit.ts';

/** Where the engine gives the rows of a filter as a file, in both hosts (see the audit contract). */
export function exportUrl(format: ExportFormat, filter: VerdictFilter): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
  return `/export?${query}`;
}

/** A name that sorts by when it was made, in local time. */
export function exportName(format: ExportFormat, now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `vaglio-audit-${day}-${two(now.getHours())}${two(now.getMinutes())}.${format}`;
}

export interface ExportProgress {
  rows: number;
  bytes: number;
  /** null when nobody can say beforehand. */
  total: number | null;
}

/** A place for the file's bytes; nothing is left of them after `abort`. */
export interface Sink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** How many lines end in a chunk; a text in CSV has no line end of its own, since those are made visible. */
function lineEnds(chunk: Uint8Array): number {
  let ends = 0;
  for (const byte of chunk) if (byte === 0x0a) ends++;
  return ends;
}

/**
 * Copies an answer into a file, chunk by chunk: the slower of both sets the pace, and little is in memory.
 *
 * @returns how much there was
 * @throws what the answer or the file throws, or an AbortError; the file is taken away then
 */
export async function copyRows(
  answer: Response,
  sink: Sink,
  format: ExportFormat,
  onProgress: (progress: ExportProgress) => void,
): Promise<ExportProgress> {
  const told = answer.headers.get('Vaglio-Rows');
  const total = told !== null && /^\d+$/.test(told) ? Number(told) : null;
  const reader = answer.body?.getReader();
  // The table's head is no row.
  const progress = { rows: format === 'csv' ? -1 : 0, bytes: 0, total };
  const shown = (): ExportProgress => ({ ...progress, rows: Math.max(0, progress.rows) });
  try {
    if (!answer.ok || reader === undefined) throw new Error(`the engine answered ${answer.status}`);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await sink.write(value);
      progress.rows += lineEnds(value);
      progress.bytes += value.length;
      onProgress(shown());
    }
    // A stream that ends early is no whole export.
    if (total !== null && shown().rows < total) throw new Error(`${shown().rows} of ${total} rows came`);
    await sink.close();
    return shown();
  } catch (error) {
    await reader?.cancel().catch(() => undefined);
    await sink.abort().catch(() => undefined);
    throw error;
  }
}
