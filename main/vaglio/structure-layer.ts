import type { GuardLayer } from './judge.ts';
import { structuralGuard } from './shell/structural.ts';

/** What the structural layer may do: block, only say what it would mark or block, or nothing. */
export const STRUCTURE_MODES = ['on', 'marks', 'off'] as const;
export type StructureMode = (typeof STRUCTURE_MODES)[number];

/**
 * The structural layer as the judge asks it (vaglio page, section 2).
 * @param control absolute paths of the panel's own files, where they do not lie at their usual place
 * @returns undefined when it is switched off
 */
export function structureLayer(mode: StructureMode, control: readonly string[] = []): GuardLayer | undefined {
  if (mode === 'off') return undefined;
  return (executor, args, context, home) => {
    const found = structuralGuard({ executor, args, context, home, control });
    if (found.answer !== 'block') return { block: null, marks: found.marks };
    const { rule = 'shell.not-judged', reason = 'guard: struttura shell: shell.not-judged', span } = found;
    if (mode === 'marks') return { block: null, marks: [rule, ...found.marks] };
    const text = found.tree.children.find((node) => node.span !== null)?.text ?? '';
    const at =
      span === undefined
        ? {}
        : { span: { path: '', start: span.start, end: span.end, text: text.slice(span.start, span.end) } };
    return { block: { blocked: true, rule, reason, ...at }, marks: found.marks };
  };
}
