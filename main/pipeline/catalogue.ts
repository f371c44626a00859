import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type { DeclaredCapability } from '../../shared/domain/decision.ts';

/** What a manifest says about an executor (files page, "executor manifests"). */
export interface CatalogueEntry {
  name: string;
  /** As declared, also a name outside the registry. */
  capabilities: (DeclaredCapability & { when: { arg: string; values: unknown[] } | null })[];
  /** JSON Schema of the args; null when the manifest has none. */
  schema: Record<string, unknown> | null;
}

export interface ManifestFault {
  path: string;
  why: string;
}

/** The executors of a Metnos installation. We read; what is broken is reported and skipped. */
export interface Catalogue {
  /** null for an executor that has no manifest, or a broken one. */
  find(executor: string): CatalogueEntry | null;
  /** Looks at every manifest now. */
  check(): { folder: string | null; found: number; faults: ManifestFault[] };
}

/** How long an answer is kept before the file is looked at again, ms of the monotonic clock. */
const KEPT_MS = 1000;
const MOST_KEPT = 2000;
const LARGEST = 1024 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/;

interface Kept {
  at: number;
  mark: string;
  entry: CatalogueEntry | null;
}

/** @param folder of the executors; null where there is no installation */
export function createCatalogue(folder: string | null, monotonic: () => number = () => performance.now()): Catalogue {
  const kept = new Map<string, Kept>();

  const pathOf = (executor: string): string => join(folder ?? '', executor, 'manifest.toml');
  const look = (executor: string): CatalogueEntry | null => {
    const now = monotonic();
    const known = kept.get(executor);
    if (known !== undefined && now - known.at < KEPT_MS) return known.entry;
    const path = pathOf(executor);
    const mark = markOf(path);
    if (known !== undefined && known.mark === mark) {
      known.at = now;
      return known.entry;
    }
    if (kept.size >= MOST_KEPT) kept.clear();
    const entry = mark === '' ? null : readOrNull(path, executor);
    kept.set(executor, { at: now, mark, entry });
    return entry;
  };

  return {
    find: (executor) => (folder === null || !NAME.test(executor) ? null : look(executor)),
    check: () => {
      if (folder === null) return { folder, found: 0, faults: [] };
      const faults: ManifestFault[] = [];
      let found = 0;
      for (const name of foldersIn(folder, faults)) {
        const path = pathOf(name);
        if (!NAME.test(name) || markOf(path) === '') continue;
        try {
          readManifest(path, name);
          found += 1;
        } catch (error) {
          faults.push({ path, why: error instanceof Error ? error.message : String(error) });
        }
      }
      return { folder, found, faults };
    },
  };
}

function foldersIn(folder: string, faults: ManifestFault[]): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    faults.push({ path: folder, why: error instanceof Error ? error.message : String(error) });
    return [];
  }
}

/** Changes with the file; empty when there is none. */
function markOf(path: string): string {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch {
    return '';
  }
  return stats?.isFile() ? `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}` : '';
}

function readOrNull(path: string, executor: string): CatalogueEntry | null {
  try {
    return readManifest(path, executor);
  } catch {
    return null;
  }
}

/** @throws Error that says what is wrong, with the line where it is known */
function readManifest(path: string, executor: string): CatalogueEntry {
  if (statSync(path).size > LARGEST) throw new Error(`is larger than ${LARGEST} bytes`);
  const manifest = parseToml(readFileSync(path, 'utf8'));
  if (manifest.name !== executor) throw new Error(`its name is not ${executor}, the name of its folder`);
  const declared = manifest.capabilities ?? [];
  if (!Array.isArray(declared)) throw new Error('capabilities is no list of tables');
  const schema = manifest.args ?? manifest.args_schema ?? null;
  if (schema !== null && !isTable(schema)) throw new Error('args is no table');
  return { name: executor, capabilities: declared.map(capabilityOf), schema };
}

function parseToml(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) throw new Error(`line ${error.line}: ${error.message.split('\n')[0]}`);
    throw error;
  }
}

function capabilityOf(value: unknown, index: number): CatalogueEntry['capabilities'][number] {
  const where = `capability ${index + 1}`;
  if (!isTable(value) || typeof value.name !== 'string' || value.name === '') throw new Error(`${where} has no name`);
  const hint = value.hint ?? value.hints ?? [];
  const hints = typeof hint === 'string' ? [hint] : hint;
  if (!Array.isArray(hints) || !hints.every((one) => typeof one === 'string')) {
    throw new Error(`${where} (${value.name}) has a hint that is no text`);
  }
  return { name: value.name, hints, when: conditionOf(value.when, where) };
}

/** `when = { arg, values }`: the capability counts for these values of an argument alone. */
function conditionOf(value: unknown, where: string): { arg: string; values: unknown[] } | null {
  if (value === undefined) return null;
  if (!isTable(value) || typeof value.arg !== 'string' || !Array.isArray(value.values)) {
    throw new Error(`${where} has a condition that cannot be read`);
  }
  return { arg: value.arg, values: value.values };
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
