/**
 * `config.yaml` (constitution page, section 5) with the line of every value, so that an error says where to look. The
 * file belongs to several programs: what nobody asks for is left alone. No error repeats more of it than the
 * one value that is meant.
 */
import { readFileSync } from 'node:fs';
import type { Document, LineCounter, Node, Pair } from 'yaml';
import { UserError } from './errors.ts';

/** Way to a value from the top of the file. */
export type ConfigKeys = readonly string[];

export interface ConfigFile {
  readonly path: string;
  /** A number in [min, max]; null when nothing is set. @throws UserError `bad-input` naming file and line */
  number(keys: ConfigKeys, range: { min: number; max: number; integer?: boolean }): number | null;
  /** A text that is not empty; null when nothing is set. @throws UserError `bad-input` */
  text(keys: ConfigKeys): string | null;
  /** One of `choices`; null when nothing is set. @throws UserError `bad-input` */
  choice<T extends string>(keys: ConfigKeys, choices: readonly T[]): T | null;
  /** True or false; null when nothing is set. @throws UserError `bad-input` */
  flag(keys: ConfigKeys): boolean | null;
  /** Keys of the map at `keys`, none when nothing is set. @throws UserError `bad-input` when it is no map */
  names(keys: ConfigKeys): string[];
  /** Was the key written, be its value null? */
  isWritten(keys: ConfigKeys): boolean;
  /** Has the key a value? One without leaves what stands for it in force. */
  isSet(keys: ConfigKeys): boolean;
  /** Every key below `keys`, however deep, also through lists and aliases. */
  below(keys: ConfigKeys): { name: string; line: number }[];
  /** Line of a key, counted from 1. */
  line(keys: ConfigKeys): number;
  /** The error about a key; `says` goes on after its name. */
  error(keys: ConfigKeys, says: string): UserError;
}

const MAX_BYTES = 1024 * 1024;

function readText(path: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    const says = `${path} cannot be read (${(error as NodeJS.ErrnoException).code}). Nothing starts without the settings that may be in it: make it readable, or move it away.`;
    throw new UserError('unreadable', says, path, { cause: error });
  }
  if (bytes.length > MAX_BYTES) {
    throw new UserError('bad-input', `${path} is larger than ${MAX_BYTES} bytes. Move it away.`, path);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UserError('bad-input', `${path} is not UTF-8 text. Save it as UTF-8.`, path, { cause: error });
  }
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
};

/**
 * Reads the file; one that is missing or empty has nothing set.
 * @throws UserError `bad-input` naming file and line when it is no YAML map; `unreadable` when it cannot be read
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const text = readText(path);
  if (text === null || text.trim() === '') return configFile(path, null, null, null);
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    throw new UserError('bad-input', `${path}, line ${line}: this is not valid YAML (${fault.code}). Mend it.`, path);
  }
  if (document.contents !== null && !isNothing(yaml, document.contents) && !yaml.isMap(document.contents)) {
    throw new UserError('bad-input', `${path}, line 1: the file has to be a map of settings.`, path);
  }
  return configFile(path, yaml, document, lines);
}

type Yaml = typeof import('yaml');

function isNothing(yaml: Yaml, node: unknown): boolean {
  return node === null || node === undefined || (yaml.isScalar(node) && node.value === null);
}

function configFile(
  path: string,
  yaml: Yaml | null,
  document: Document.Parsed | null,
  lines: LineCounter | null,
): ConfigFile {
  const resolved = (node: unknown): Node | null => {
    if (yaml === null || document === null) return null;
    return (yaml.isAlias(node) ? node.resolve(document) : (node as Node | null)) ?? null;
  };
  const pairs = (node: Node | null): Pair[] => (yaml?.isMap(node) ? (node.items as Pair[]) : []);
  const keyOf = (pair: Pair): string => (yaml?.isScalar(pair.key) ? String(pair.key.value) : String(pair.key));
  const lineOf = (pair: Pair): number => {
    const range = (pair.key as Node).range;
    return range && lines !== null ? lines.linePos(range[0]).line : 1;
  };

  /** The pairs on the way, as far as it goes. */
  const follow = (keys: ConfigKeys): Pair[] => {
    const way: Pair[] = [];
    let node = resolved(document?.contents);
    for (const key of keys) {
      const pair = pairs(node).find((candidate) => keyOf(candidate) === key);
      if (pair === undefined) break;
      way.push(pair);
      node = resolved(pair.value);
    }
    return way;
  };
  const find = (keys: ConfigKeys): { value: Node | null } | null => {
    const way = follow(keys);
    const value = resolved(way.length === 0 ? document?.contents : way.at(-1)?.value);
    if (way.length === keys.length) return { value };
    if (yaml !== null && !yaml.isMap(value) && !isNothing(yaml, value)) {
      throw error(keys.slice(0, way.length), 'has to be a map of settings');
    }
    return null;
  };
  const line = (keys: ConfigKeys): number => {
    const last = follow(keys).at(-1);
    return last === undefined ? 1 : lineOf(last);
  };
  const error = (keys: ConfigKeys, says: string): UserError =>
    new UserError('bad-input', `${path}, line ${line(keys)}: ${keys.join('.')} ${says}.`, path);
  const single = (keys: ConfigKeys): unknown => {
    const value = find(keys)?.value ?? null;
    return yaml?.isScalar(value) ? value.value : value;
  };
  const wrong = (keys: ConfigKeys, value: unknown, wanted: string): UserError =>
    error(keys, `is ${yaml?.isNode(value) ? 'no single value' : shown(value)}: give ${wanted}, or leave it out`);
  const below = (node: Node | null, seen: Set<Node>): { name: string; line: number }[] => {
    if (node === null || seen.has(node)) return [];
    seen.add(node);
    if (yaml?.isSeq(node)) return node.items.flatMap((item) => below(resolved(item), seen));
    return pairs(node).flatMap((pair) => [
      { name: keyOf(pair), line: lineOf(pair) },
      ...below(resolved(pair.value), seen),
    ]);
  };

  return {
    path,
    number(keys, { min, max, integer = false }) {
      const value = single(keys);
      if (value === null) return null;
      if (typeof value === 'number' && value >= min && value <= max && (!integer || Number.isInteger(value)))
        return value;
      throw wrong(keys, value, `a ${integer ? 'whole ' : ''}number from ${min} to ${max}`);
    },
    text(keys) {
      const value = single(keys);
      if (value === null) return null;
      if (typeof value !== 'string' || value.trim() === '') throw wrong(keys, value, 'a text');
      return value;
    },
    choice(keys, choices) {
      const value = single(keys);
      if (value === null) return null;
      const chosen = choices.find((choice) => choice === value);
      if (chosen === undefined) throw wrong(keys, value, choices.join(' or '));
      return chosen;
    },
    flag(keys) {
      const value = single(keys);
      if (value === null || typeof value === 'boolean') return value;
      throw wrong(keys, value, 'true or false');
    },
    names(keys) {
      const value = find(keys)?.value ?? null;
      if (yaml === null || isNothing(yaml, value)) return [];
      if (!yaml.isMap(value)) throw error(keys, 'has to be a map of settings');
      return pairs(value).map(keyOf);
    },
    isWritten: (keys) => find(keys) !== null,
    isSet: (keys) => single(keys) !== null,
    below: (keys) => below(find(keys)?.value ?? null, new Set()),
    line,
    error,
  };
}
