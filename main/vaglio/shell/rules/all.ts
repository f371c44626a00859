import type { CommandFact, Rule } from '../types.ts';
import { controlRules } from './control.ts';
import { sqlRules } from './databases.ts';
import { deletionRules } from './deletion.ts';
import { diskRules } from './disk.ts';
import { gitRules } from './git.ts';
import { hostRules } from './host.ts';
import { originRules } from './origin.ts';
import { pathRules } from './path.ts';
import { secretRules } from './secrets.ts';
import { serviceRules } from './services.ts';

/** Every rule of the layer, blocks before marks within a topic. */
export const RULES: readonly Rule[] = [
  ...secretRules,
  ...deletionRules,
  ...diskRules,
  ...controlRules,
  ...gitRules,
  ...hostRules,
  ...serviceRules,
  ...sqlRules,
  ...originRules,
  ...pathRules,
];

const forAll: Rule[] = [];
const byTool = new Map<string, Rule[]>();
const byFamily: [string, Rule][] = [];

for (const rule of RULES) {
  if (rule.when === undefined || rule.tools === undefined) continue;
  if (rule.tools === '*') forAll.push(rule);
  else {
    for (const tool of rule.tools) {
      if (tool.endsWith('*')) byFamily.push([tool.slice(0, -1), rule]);
      else byTool.set(tool, [...(byTool.get(tool) ?? []), rule]);
    }
  }
}

/** Programs that some rule is about by name. */
export function isRuledTool(name: string): boolean {
  return byTool.has(name);
}

/** The rules that look at a command: those for all programs, then those for its own. */
export function rulesFor(command: CommandFact): readonly Rule[] {
  const own = byTool.get(command.name);
  let out: readonly Rule[] = own === undefined ? forAll : [...forAll, ...own];
  for (const [prefix, rule] of byFamily) {
    if (command.name.startsWith(prefix) && own?.includes(rule) !== true) out = [...out, rule];
  }
  return out;
}
