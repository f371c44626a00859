import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../engine/make-folder.ts';
import type { FileHead } from './verify-file.ts';

/**
 * The head of the record, kept outside the database (quality page, "The record"): whoever alters the log and the
 * database has to alter this file as well.
 */
export interface Head {
  version: 1;
  /** Unix seconds. */
  since: number;
  files: Record<string, FileHead>;
  acts: { count: number; link: string };
}

/** @returns null when there is none, or none that can be read */
export function readHead(path: string): Head | null {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<Head> | null;
    if (value?.version !== 1 || typeof value.files !== 'object' || value.files === null) return null;
    if (typeof value.acts?.count !== 'number' || typeof value.acts.link !== 'string') return null;
    const files = Object.entries(value.files).filter(
      ([, file]) =>
        Number.isSafeInteger(file?.bytes) && Number.isSafeInteger(file?.lines) && typeof file?.link === 'string',
    );
    const since = typeof value.since === 'number' ? value.since : 0;
    return { version: 1, since, files: Object.fromEntries(files), acts: value.acts };
  } catch {
    return null;
  }
}

/** Whole or not at all, readable by its owner alone. @throws what the file system throws */
export function writeHead(path: string, head: Head): void {
  makeFolder(dirname(path));
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify(head)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
