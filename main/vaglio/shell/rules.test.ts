import { expect, test } from 'vitest';
import { STRUCTURAL_RULES } from '../../../shared/domain/structural-rules.ts';
import { RULE_ROWS } from './rule-rows.fixture.ts';
import { RULES } from './rules/all.ts';
import { type StructuralResult, structuralGuard } from './structural.ts';
import type { TreeNode } from './types.ts';

function judge(command: string): StructuralResult {
  return structuralGuard({ executor: 'shell_exec', args: { command }, home: '/home/user' });
}

function rulesMet(result: StructuralResult): Set<string> {
  const met = new Set<string>(result.marks);
  if (result.rule !== undefined) met.add(result.rule);
  const visit = (node: TreeNode): void => {
    for (const rule of node.rules) met.add(rule);
    node.children.forEach(visit);
  };
  visit(result.tree);
  return met;
}

/** Rules about values have rows in arguments.test.ts; this one is only met by a fault of the program. */
const WITHOUT_COMMANDS = new Set(['path.secret', 'path.device', 'path.control', 'shell.not-judged']);

test('every rule has an id of its own, a sentence in both languages, hits and near misses', () => {
  expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length);
  expect(RULES.map((rule) => rule.id).sort()).toEqual(Object.keys(STRUCTURAL_RULES).sort());
  for (const rule of RULES) {
    expect(STRUCTURAL_RULES[rule.id].en.length, rule.id).toBeGreaterThan(10);
    expect(STRUCTURAL_RULES[rule.id].it.length, rule.id).toBeGreaterThan(10);
    if (WITHOUT_COMMANDS.has(rule.id)) continue;
    expect(RULE_ROWS[rule.id]?.hits.length ?? 0, rule.id).toBeGreaterThan(0);
    expect(RULE_ROWS[rule.id]?.misses.length ?? 0, rule.id).toBeGreaterThan(0);
  }
  for (const id of Object.keys(RULE_ROWS))
    expect(
      RULES.some((rule) => rule.id === id),
      id,
    ).toBe(true);
});

for (const [id, rows] of Object.entries(RULE_ROWS)) {
  const rule = RULES.find((r) => r.id === id);
  for (const command of rows.hits) {
    test(`${id} is met by ${command.slice(0, 80)}`, () => {
      const result = judge(command);
      expect([...rulesMet(result)]).toContain(id);
      if (rule?.answer === 'block') expect(result.answer).toBe('block');
      else expect(result.marks).toContain(id);
    });
  }
  for (const command of rows.misses) {
    test(`${id} is not met by ${command.slice(0, 80)}`, () => {
      expect([...rulesMet(judge(command))]).not.toContain(id);
    });
  }
}
