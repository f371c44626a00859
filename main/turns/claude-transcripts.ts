import { closeSync, fstatSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setImmediate as macrotask } from 'node:timers/promises';
import type { TurnsState } from '../../shared/rpc/turns.ts';
import { createTailReader } from '../audit/tail-reader.ts';
import { UserError } from '../engine/errors.ts';
import { type ClaudeTurn, createClaudeTurn, idOfClaudeLine, kindOfClaudeLine } from './claude-lines.ts';
import { parseTurnLine } from './parse-turn.ts';
import { openRegular } from './turn-files.ts';
import type { TurnEntry, TurnIndex } from './turn-index.ts';

/**
 * Claude Code's own transcripts as a source of turns (pipeline page, "Turns"): read only, and only while a folder is
 * given. Bounded: the newest files and the newest turns, the rest is counted. A scan never throws.
 */
export interface ClaudeTranscripts {
  /** @param folder `projects` of Claude Code's settings folder; null: nothing is read, and its turns are let go */
  follow(folder: string | null): void;
  /** Reads what is new. */
  scan(): Promise<void>;
  /** null while no folder is given. */
  state(): TurnsState['transcripts'];
  leftOut(): number;
  /** One turn as it stands in its file now. @throws UserError when it is no longer there */
  read(entry: TurnEntry): { turn: ClaudeTurn; text: string };
}

const MOST_FILES = 200;
const MOST_TURNS = 5000;
const LONGEST_TURN = 64 << 20;

interface Known {
  identity: string;
  mark: string;
  /** Where reading begins again: the start of the last turn, which may have grown. */
  from: { offset: number; line: number; turns: number; skipped: number; id: string | null };
  entries: TurnEntry[];
  skipped: number;
}

export function createClaudeTranscripts(
  index: TurnIndex,
  stopped: () => boolean,
  limits = { files: MOST_FILES, turns: MOST_TURNS },
): ClaudeTranscripts {
  const files = new Map<string, Known>();
  const listed = new Map<string, TurnEntry>();
  let folder: string | null = null;
  let leftOut = 0;
  let filesLeft = 0;
  let problem: string | null = null;

  const forgetAll = (): void => {
    files.clear();
    listed.clear();
    leftOut = 0;
    filesLeft = 0;
    problem = null;
    index.remove(({ row }) => row.source === 'claude-code');
  };

  const readFile = async (root: string, name: string, going: () => boolean): Promise<void> => {
    const fd = openRegular(join(root, name));
    try {
      const { dev, ino, size, mtimeMs } = fstatSync(fd);
      const mark = `${size} ${mtimeMs}`;
      const before = files.get(name);
      if (before?.mark === mark) return;
      const same = before !== undefined && before.identity === `${dev}:${ino}` && continues(fd, before, size);
      const from = same ? before.from : { offset: 0, line: 1, turns: 0, skipped: 0, id: null };
      const entries = same ? before.entries.slice(0, from.turns) : [];
      const file: Known = { identity: `${dev}:${ino}`, mark, from, entries, skipped: from.skipped };
      const reader = createTailReader({ chunkBytes: Math.min(1 << 20, Math.max(64 << 10, size - from.offset)) });
      let at = { offset: from.offset, line: from.line };
      let turn: ClaudeTurn | null = null;
      let end = at.offset;
      const finish = (): void => {
        if (turn === null) return;
        const place = { file: name, line: file.from.line, offset: file.from.offset, length: end - file.from.offset };
        file.entries.push(turn.entry(`claude-code:${name}:${place.offset}`, place));
      };
      for (let atEnd = false; !atEnd; ) {
        const read = reader.read(fd, at, size);
        for (const { bytes, offset, line, length } of read.lines) {
          const parsed = bytes === null ? 'invalid-json' : parseTurnLine(bytes.toString('utf8'));
          const kind = typeof parsed === 'string' ? 'unknown' : kindOfClaudeLine(parsed);
          if (kind === 'prompt' && typeof parsed !== 'string') {
            finish();
            turn = createClaudeTurn(parsed);
            const { skipped } = file;
            file.from = { offset, line, turns: file.entries.length, skipped, id: idOfClaudeLine(parsed) };
          } else if (kind === 'part' && turn !== null && typeof parsed !== 'string') turn.add(parsed);
          else if (kind !== 'aside' && length > 0) file.skipped++;
          end = offset + length;
        }
        atEnd = read.atEnd || read.next.offset === at.offset;
        at = read.next;
        // Without a turn there is nothing to read again.
        if (turn === null) file.from = { ...at, turns: file.entries.length, skipped: file.skipped, id: null };
        if (!atEnd) await macrotask();
        if (!going()) return;
      }
      finish();
      files.set(name, file);
    } finally {
      closeSync(fd);
    }
  };

  /** Puts into the index what changed, and takes out what is too old or gone. */
  const show = (names: readonly string[]): void => {
    const all = new Map<string, TurnEntry>();
    // A session that was continued in another file has its beginning copied there.
    const ids = new Set<string>();
    for (const name of names) {
      for (const entry of files.get(name)?.entries ?? []) {
        const { turn_id, key } = entry.row;
        if (turn_id !== null && ids.has(turn_id)) continue;
        if (turn_id !== null) ids.add(turn_id);
        all.set(key, entry);
      }
    }
    const newest = [...all.values()].sort((one, other) => other.row.at_ms - one.row.at_ms).slice(0, limits.turns);
    leftOut = all.size - newest.length;
    const kept = new Set(newest.map(({ row }) => row.key));
    if ([...listed.keys()].some((key) => !kept.has(key))) {
      index.remove(({ row }) => row.source === 'claude-code' && !kept.has(row.key));
      for (const key of [...listed.keys()]) if (!kept.has(key)) listed.delete(key);
    }
    for (const entry of newest) {
      if (listed.get(entry.row.key) === entry) continue;
      listed.set(entry.row.key, entry);
      index.put(entry);
    }
  };

  return {
    follow(next) {
      if (next === folder) return;
      forgetAll();
      folder = next;
    },
    async scan() {
      const root = folder;
      if (root === null) return;
      const going = (): boolean => folder === root && !stopped();
      const found = newestFiles(root);
      problem = found.problem;
      const names = found.names.slice(0, limits.files);
      const shown: string[] = [];
      let turns = 0;
      for (const name of names) {
        if (turns >= limits.turns) break;
        try {
          await readFile(root, name, going);
        } catch (error) {
          files.delete(name);
          problem = `${join(root, name)}: ${error instanceof Error ? error.message : String(error)}`;
        }
        if (!going()) return;
        shown.push(name);
        turns += files.get(name)?.entries.length ?? 0;
      }
      for (const name of [...files.keys()]) if (!shown.includes(name)) files.delete(name);
      filesLeft = found.names.length - shown.length;
      show(shown);
    },
    state: () =>
      folder === null
        ? null
        : {
            files: files.size,
            files_left_out: filesLeft,
            turns: listed.size,
            skipped: [...files.values()].reduce((sum, { skipped }) => sum + skipped, 0),
            problem,
          },
    leftOut: () => leftOut,
    read({ row, place }) {
      if (folder === null || place === null) throw goneFrom('The transcripts of Claude Code are not read any more.');
      const path = join(folder, place.file);
      if (place.length > LONGEST_TURN) {
        throw new UserError('unreadable', `The turn at byte ${place.offset} of ${path} is too long to show.`, path);
      }
      const text = textAt(path, place.offset, place.length);
      const [first, ...rest] = text.split('\n').map(parseTurnLine);
      if (typeof first !== 'object' || kindOfClaudeLine(first) !== 'prompt' || idOfClaudeLine(first) !== row.turn_id) {
        throw goneFrom(`${path} was changed at byte ${place.offset} since this turn was read.`);
      }
      const turn = createClaudeTurn(first);
      for (const line of rest) if (typeof line === 'object' && kindOfClaudeLine(line) === 'part') turn.add(line);
      return { turn, text };
    },
  };
}

/** Newest first. Links are not followed: they may lead anywhere. */
function newestFiles(root: string): { names: string[]; problem: string | null } {
  let problem: string | null = null;
  const found: { name: string; ms: number }[] = [];
  const look = (folder: string, depth: number): void => {
    try {
      for (const each of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, each.name);
        if (each.isDirectory() && depth > 0) look(path, depth - 1);
        else if (each.isFile() && each.name.endsWith('.jsonl')) {
          found.push({ name: relative(root, path), ms: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 });
        }
      }
    } catch (error) {
      problem ??= `${folder}: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  look(root, 4);
  found.sort((one, other) => other.ms - one.ms || (one.name < other.name ? -1 : 1));
  return { names: found.map(({ name }) => name), problem };
}

/** Whether the last turn still begins where it began. */
function continues(fd: number, { from }: Known, size: number): boolean {
  if (size < from.offset) return false;
  if (from.turns === 0 && from.id === null) return true;
  const { lines } = createTailReader().read(fd, from, size);
  const first = lines[0]?.bytes;
  const parsed = first == null ? '' : parseTurnLine(first.toString('utf8'));
  return typeof parsed === 'object' && kindOfClaudeLine(parsed) === 'prompt' && idOfClaudeLine(parsed) === from.id;
}

function textAt(path: string, offset: number, length: number): string {
  try {
    const fd = openRegular(path);
    try {
      const bytes = Buffer.alloc(length);
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, length, offset));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new UserError('unreadable', `${path} cannot be read: ${(error as Error).message}`, path);
  }
}

function goneFrom(message: string): UserError {
  return new UserError('not-found', `${message} Load the list again.`, 'claude-code');
}
