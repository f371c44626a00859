const NEWLINE = 0x0a;

/** Cuts what a connection sends into lines; holds what is unfinished. */
export interface LineBuffer {
  /** The lines that this piece completes. `tooLarge`: the unfinished one, or one of them, is over the limit. */
  push(piece: Buffer): { lines: Buffer[]; tooLarge: boolean };
  /** Bytes of the unfinished line. */
  held(): number;
  /** Takes the unfinished line, which may be empty. */
  rest(): Buffer;
}

/** @param maxBytes of one line, without its newline */
export function createLineBuffer(maxBytes: number): LineBuffer {
  let pieces: Buffer[] = [];
  let size = 0;
  const take = (): Buffer => {
    const line = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size);
    pieces = [];
    size = 0;
    return line;
  };
  const add = (piece: Buffer): boolean => {
    if (piece.length === 0) return true;
    size += piece.length;
    if (size > maxBytes) return false;
    pieces.push(piece);
    return true;
  };
  return {
    push(piece) {
      const lines: Buffer[] = [];
      let start = 0;
      for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
        if (!add(piece.subarray(start, end))) return { lines, tooLarge: true };
        lines.push(take());
        start = end + 1;
      }
      return { lines, tooLarge: !add(start === 0 ? piece : piece.subarray(start)) };
    },
    held: () => size,
    rest: take,
  };
}
