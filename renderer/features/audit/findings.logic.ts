import type { Finding } from '../../../shared/domain/integrity.ts';

/** Findings of one file together, files in the order of their first one: a file is acknowledged as a whole. */
export function byFile(findings: readonly Finding[]): { file: string; findings: Finding[] }[] {
  const files = new Map<string, Finding[]>();
  for (const finding of findings) files.set(finding.file, [...(files.get(finding.file) ?? []), finding]);
  return [...files].map(([file, its]) => ({ file, findings: its }));
}
