import type { IndexProgress } from '../../shared/rpc/audit.ts';

/** How far a backlog is, how fast it goes and how long it will take. */
export interface Progress {
  /**
   * Goes on where the same stage was left.
   * @param bytes to be read, or 0 where `lines` says how many are left
   */
  begin(stage: IndexProgress['stage'], files: number, bytes: number, lines: number): void;
  add(bytes: number, lines: number): void;
  fileDone(): void;
  end(stage: IndexProgress['stage']): void;
  now(): IndexProgress | null;
}

/** Nothing is said of the speed before so long, ms. */
const SETTLE_MS = 250;

/** @param elapsed ms, monotonic */
export function createProgress(elapsed: () => number): Progress {
  let current: (Omit<IndexProgress, 'lines_per_s' | 'seconds_left'> & { began: number; lines: number }) | null = null;
  return {
    begin(stage, files, bytes, left) {
      const lines = left + (current?.stage === stage && left > 0 ? current.lines_done : 0);
      if (current?.stage === stage && left > 0) {
        current.lines = lines;
        return;
      }
      current = { stage, files_done: 0, files, bytes_done: 0, bytes, lines_done: 0, lines, began: elapsed() };
    },
    add(bytes, lines) {
      if (current === null) return;
      current.bytes_done += bytes;
      current.lines_done += lines;
    },
    fileDone() {
      if (current !== null) current.files_done++;
    },
    end(stage) {
      if (current?.stage === stage) current = null;
    },
    now() {
      if (current === null) return null;
      const { began, lines, ...rest } = current;
      const ms = elapsed() - began;
      const share = lines > 0 ? rest.lines_done / lines : rest.bytes > 0 ? rest.bytes_done / rest.bytes : 0;
      const known = ms >= SETTLE_MS && share > 0;
      return {
        ...rest,
        lines_per_s: ms > 0 ? Math.round((rest.lines_done / ms) * 1000) : 0,
        seconds_left: known ? Math.max(0, Math.round((ms / share - ms) / 100) / 10) : null,
      };
    },
  };
}
