import { article, type JudgedAction, type LawFacts } from './article.ts';
import { touches } from './places.ts';
import { stringsIn } from './strings.ts';

function touchesTheRecord(action: JudgedAction, facts: LawFacts): string | null {
  for (const target of action.targets) {
    for (const place of facts.places.record) {
      const touch = touches(target, place, facts.home, facts.realpath);
      // Whoever only reads a folder that holds the record does not aim at it.
      const isAimed = touch === 'in' || (touch === 'above' && action.capability !== 'fs:read');
      if (isAimed) return `a target is part of the record of what happened: ${place.path}`;
    }
  }
  for (const text of [...action.targets, ...stringsIn(action.args)]) {
    const mention = facts.places.mentioned(text);
    if (mention?.of === 'record') return `it mentions the record of what happened: ${mention.path}`;
  }
  return null;
}

function leavesNothingToTrace({ flow, missing }: JudgedAction): string | null {
  if (flow !== 'proactive' || missing.length === 0) return null;
  return `a proactive action without ${missing.join(' and ')} leaves nothing to trace`;
}

/** Law 3: what happens can be traced (constitution page, section 2). */
export const trace = article(
  'law.3.tracciabilita',
  (action, facts) => touchesTheRecord(action, facts) ?? leavesNothingToTrace(action),
);
