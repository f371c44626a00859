import type { FinalDecision, ProposalRow } from '../../../shared/domain/constitution.ts';

/** Figures of the formula: as many digits as tell them apart, none that say nothing. */
export function figure(value: number, language: string): string {
  return value.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
}

/** A share of 1 in per cent. */
export function share(value: number, language: string): string {
  return value.toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 });
}

/** Key of the sentence that says why it was decided so. */
export function whyKey(row: Pick<ProposalRow, 'result'>) {
  const { final_decision, terms } = row.result;
  if (terms === null && final_decision === 'defer') return 'why.deferUnjudged' as const;
  if (terms === null && final_decision === 'reject') return 'why.rejectUnjudged' as const;
  return `why.${final_decision}` as const;
}

/** What a person can answer: proposals that were weighed, not what a law stopped. */
export function isAnswerable(row: Pick<ProposalRow, 'flow' | 'result'>): boolean {
  return row.flow === 'proactive' && row.result.final_decision !== 'block';
}

export const DECISIONS = ['publish', 'defer', 'reject', 'block'] as const satisfies readonly FinalDecision[];

/** Rows of a first page and of older ones, each once. */
export function joined(first: readonly ProposalRow[], older: readonly ProposalRow[]): ProposalRow[] {
  const oldest = first.at(-1)?.id;
  return oldest === undefined ? [...first] : [...first, ...older.filter(({ id }) => id < oldest)];
}

/** Where a line of a text begins and ends, for selecting it; lines from 1. */
export function lineRange(text: string, line: number): { start: number; end: number } {
  const lines = text.split('\n');
  const at = Math.min(Math.max(line, 1), lines.length);
  const start = lines.slice(0, at - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return { start, end: start + (lines[at - 1]?.length ?? 0) };
}
