import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { TelosFile } from '../../shared/rpc/proposals.ts';
import { UserError } from '../engine/errors.ts';
import type { TelosInForce } from './evaluate.ts';
import { readTelos, telosProblemText } from './telos.ts';

export const LARGEST_TELOS = 256 * 1024;
const LARGEST_EMAS = 64 * 1024;
/** An EMA moves around 1; what is far from it is no EMA. */
const EMA = { least: 0, most: 10 };

const NO_FILE = 'none';
const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** The file as it is now: read at every call, so that a change counts at once. Never throws. */
export function lookAtTelos(path: string): TelosFile {
  const empty = { path, text: null, version: NO_FILE, teloi: [], problems: [], unreadable: null };
  let bytes: Buffer;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return empty;
    if (!stats.isFile()) return { ...empty, unreadable: `${path} is not a file.` };
    if (stats.size > LARGEST_TELOS) {
      const problems = [{ line: 1, code: 'too-large' as const, what: String(LARGEST_TELOS) }];
      return { ...empty, version: 'too-large', problems };
    }
    bytes = readFileSync(path);
  } catch (error) {
    return { ...empty, version: 'unreadable', unreadable: `${path} cannot be read (${codeOf(error)}).` };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ...empty, version: 'not-text', problems: [{ line: 1, code: 'not-text', what: '' }] };
  }
  return { path, text, version: versionOf(text), ...readTelos(text), unreadable: null };
}

/**
 * The EMA of each telos that has one, as another program wrote it: `{"t.name": 1.1}`.
 * @param log told of a file that cannot be used; every EMA is 1 then
 */
export function readEmas(path: string, log: (line: string) => void): Record<string, number> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return {};
    if (!stats.isFile() || stats.size > LARGEST_EMAS) throw new Error('it is no small file');
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is no JSON object');
    const isEma = (ema: unknown): ema is number => typeof ema === 'number' && ema >= EMA.least && ema <= EMA.most;
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, number] => isEma(entry[1])));
  } catch (error) {
    log(`${path} is not used, every EMA counts as 1: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

/** The user's ends as an evaluation takes them. Never throws. */
export function telosInForce(paths: { telos: string; emas: string }, log: (line: string) => void): TelosInForce {
  const { text, teloi, problems, unreadable } = lookAtTelos(paths.telos);
  const [first] = problems;
  const problem = unreadable ?? (first === undefined ? null : `TELOS.md, ${telosProblemText(first)}`);
  if (text === null || problem !== null || teloi.length === 0) return { text: null, teloi: [], problem, emas: {} };
  return { text, teloi, problem: null, emas: readEmas(paths.emas, log) };
}

/**
 * Puts the operator's text in the place of the file: whole or not at all, with the mode that the file had.
 * @param version of the file that the text was made from
 * @throws UserError `bad-input` for a text with problems, `conflict` when the file changed meanwhile, `read-only`
 */
export function saveTelos(path: string, text: string, version: string): TelosFile {
  const { problems } = readTelos(text);
  const [first] = problems;
  if (first !== undefined) throw new UserError('bad-input', `TELOS.md, ${telosProblemText(first)}.`, 'text');
  if (Buffer.byteLength(text) > LARGEST_TELOS) {
    throw new UserError('bad-input', `TELOS.md may have ${LARGEST_TELOS} bytes at most.`, 'text');
  }
  const now = lookAtTelos(path);
  if (now.version !== version) {
    throw new UserError('conflict', `${path} was changed meanwhile. Load it again, then repeat your change.`, path);
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const there = statSync(path, { throwIfNoEntry: false });
    // A link stays a link: what it leads to is replaced.
    const file = there === undefined ? path : realpathSync(path);
    const fresh = `${file}.${process.pid}.new`;
    // One that a crash left behind is nobody's.
    rmSync(fresh, { force: true });
    try {
      const handle = openSync(fresh, 'wx', there === undefined ? 0o600 : there.mode & 0o777);
      try {
        writeFileSync(handle, text);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(fresh, file);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  } catch (error) {
    const says = `${path} cannot be written (${codeOf(error)}). Check who owns it and its folder.`;
    throw new UserError('read-only', says, path, { cause: error });
  }
  return lookAtTelos(path);
}
