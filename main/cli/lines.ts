/** A line of the input, or null for one that is longer than allowed. */
export type Line = Buffer | null;

const NEWLINE = 0x0a;

/**
 * The lines of a byte stream, a list for each piece that arrives. Holds one line at most.
 * @param maxBytes a longer line is passed over and given as null
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line[]> {
  let held: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer) => {
    size += piece.length;
    if (size > maxBytes) held = [];
    else if (piece.length > 0) held.push(piece);
  };
  const finish = (): Line => {
    const line = size > maxBytes ? null : held.length === 1 ? (held[0] ?? null) : Buffer.concat(held);
    held = [];
    size = 0;
    return line;
  };
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      add(bytes.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    add(bytes.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [finish()];
}
