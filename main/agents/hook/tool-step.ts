import { isAbsolute } from 'node:path';
import type { CapabilityName } from '../../../shared/domain/capability.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

/** What one call of a client's tool needs, as the line is asked about it. */
export interface ToolStep {
  capability: CapabilityName;
  /** Absolute paths, hosts or a name. None where one is needed: the line denies. */
  targets: readonly string[];
  /** What the guard sees: the tool's own input, with every path of a known key made absolute. */
  args: Record<string, unknown>;
  /** Where a command runs, absolute. */
  cwd: string;
}

/** One row of a client's table. @param cwd absolute */
export type ToolRow = (input: ToolInput, cwd: string) => ToolStep;
export type ToolTable = ReadonlyMap<string, ToolRow>;

/** The host of a search that the client's own service makes: there is no address to name. */
export const WEB_SEARCH = 'web-search';

function firstKey(input: ToolInput, keys: readonly string[]): string | null {
  return keys.find((key) => Object.hasOwn(input, key)) ?? null;
}

/**
 * A leading `~` is left for the engine, which knows the home; so is `..`, since behind a link it leads elsewhere than its
 * text says.
 */
export function absolute(path: string, cwd: string): string {
  return path.startsWith('~') || isAbsolute(path) ? path : `${cwd.replace(/\/$/, '')}/${path}`;
}

function made(value: unknown, cwd: string): unknown {
  if (typeof value === 'string' && value !== '') return absolute(value, cwd);
  return Array.isArray(value) ? value.map((item) => made(item, cwd)) : value;
}

function texts(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  // A list with something else in it names what we cannot read: then it names nothing.
  return list.every((item) => typeof item === 'string' && item !== '') ? (list as string[]) : [];
}

function below(folder: string): string {
  return folder.endsWith('/') ? `${folder}**` : `${folder}/**`;
}

/**
 * Where a command runs is shown to the person, and the guard looks at it: `cat id_rsa` says nothing without it. A rule of the
 * guard is about all that lies in this folder, so that whoever works there would be denied every command.
 */
const OF_ROOT = /^\/root(\/|$)/;

/** Runs a command. @param keys where the command stands, the first that is there counts */
export function runs(keys: readonly string[], folderKeys: readonly string[] = []): ToolRow {
  return (input, cwd) => {
    const key = firstKey(input, keys);
    const folder = firstKey(input, folderKeys);
    const given = folder === null ? undefined : input[folder];
    const at = typeof given === 'string' && given !== '' ? absolute(given, cwd) : cwd;
    const text = key === null ? '' : texts(input[key]).join(' ');
    // The guard reads a command where commands stand.
    const command = key === null || key === 'command' ? {} : { command: text };
    const place = Object.hasOwn(input, 'cwd') || OF_ROOT.test(at) ? {} : { cwd: at };
    const args = { ...input, ...command, ...place };
    return { capability: 'code:exec', targets: text === '' ? [] : [text], args, cwd: at };
  };
}

/** Reads or writes the files that are named. @param keys all that are there count */
export function touches(capability: 'fs:read' | 'fs:write', keys: readonly string[]): ToolRow {
  return (input, cwd) => {
    const args: Record<string, unknown> = { ...input };
    const targets: string[] = [];
    for (const key of keys) {
      if (!Object.hasOwn(input, key)) continue;
      args[key] = made(input[key], cwd);
      const named = texts(args[key]);
      if (named.length === 0) return { capability, targets: [], args, cwd };
      targets.push(...named);
    }
    return { capability, targets, args, cwd };
  };
}

/** Looks through all that lies below a folder; without one, below the working folder. */
export function looksBelow(keys: readonly string[]): ToolRow {
  return (input, cwd) => {
    const key = firstKey(input, keys);
    if (key === null) return { capability: 'fs:read', targets: [below(cwd)], args: { ...input }, cwd };
    const folder = made(input[key], cwd);
    const targets = texts(folder).map(below);
    return { capability: 'fs:read', targets, args: { ...input, [key]: folder }, cwd };
  };
}

/** Behind a wildcard, what may lead out of the folder: `..`, or alternatives with a slash. */
const LEADS_OUT = /\.\.|[({][^)}]*\//;

/** The folder that a pattern cannot leave: what stands before its first wildcard. */
function fixedPart(pattern: string, base: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[\]{}()!]/.test(part));
  if (wild < 0) return absolute(pattern, base);
  if (LEADS_OUT.test(parts.slice(wild).join('/'))) return '/';
  const fixed = parts.slice(0, wild).join('/');
  if (fixed !== '') return absolute(fixed, base);
  return pattern.startsWith('/') ? '/' : base;
}

/** Finds files by patterns. */
export function matches(patternKeys: readonly string[], folderKeys: readonly string[]): ToolRow {
  return (input, cwd) => {
    const folder = firstKey(input, folderKeys);
    const base = folder === null ? cwd : made(input[folder], cwd);
    const key = firstKey(input, patternKeys);
    const patterns = key === null ? [] : texts(input[key]);
    const args = { ...input, ...(folder === null ? {} : { [folder]: base }) };
    if (typeof base !== 'string' || patterns.length === 0) return { capability: 'fs:read', targets: [], args, cwd };
    return { capability: 'fs:read', targets: patterns.map((pattern) => below(fixedPart(pattern, base))), args, cwd };
  };
}

function hostOf(text: string): string | null {
  try {
    const { protocol, host } = new URL(text);
    return protocol === 'https:' || protocol === 'http:' ? host || null : null;
  } catch {
    return null;
  }
}

/** Fetches the address under a key. */
export function fetches(key: string): ToolRow {
  return (input, cwd) => {
    const value = input[key];
    const host = typeof value === 'string' ? hostOf(value) : null;
    return { capability: 'network:http', targets: host === null ? [] : [host], args: { ...input }, cwd };
  };
}

/** Fetches every address that the texts under these keys name. */
export function fetchesAllIn(keys: readonly string[]): ToolRow {
  return (input, cwd) => {
    const text = keys.map((key) => input[key]).filter((value) => typeof value === 'string');
    const hosts = (text.join('\n').match(/https?:\/\/[^\s"'<>`]+/gi) ?? []).map(hostOf);
    const targets = hosts.every((host) => host !== null) ? [...new Set(hosts)] : [];
    return { capability: 'network:http', targets, args: { ...input }, cwd };
  };
}

/** Asks the client's own search service. */
export const searches: ToolRow = (input, cwd) => ({
  capability: 'network:http',
  targets: [WEB_SEARCH],
  args: { ...input },
  cwd,
});

/** Touches nothing but the client's own notes and questions; or starts steps that are judged one by one. */
export const keepsToItself: ToolRow = (input, cwd) => ({
  capability: 'parse:local',
  targets: [],
  args: { ...input },
  cwd,
});

/** Writes a file of the client's own. @param path from the home */
export function writesOwn(path: string): ToolRow {
  return (input, cwd) => ({ capability: 'fs:write', targets: [`~/${path}`], args: { ...input }, cwd });
}

/**
 * A tool that no table knows: it counts as a command, which is asked about every time and at every level that does
 * not deny it.
 */
export function unknownTool(name: string, input: ToolInput, cwd: string): ToolStep {
  return { capability: 'code:exec', targets: [name], args: { ...input }, cwd };
}
