import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = process.env.VAGLIO_CASES ?? resolve(import.meta.dirname, '../../../shared/cases');

/** The lines of a case file, or null (with a printed reason) where the cases are not at hand. */
export function caseLines(name: string): string[] | null {
  const file = resolve(folder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trimEnd().split('\n');
  console.log(`skipped: cases folder not found (${file})`);
  return null;
}
