import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AUTONOMY_LEVELS } from '../../shared/domain/capability.ts';
import { REGISTRY } from './registry.ts';
import { cellRule, neededLevel, tableOutcome } from './table.ts';

const cases = process.env.VAGLIO_CASES || join(import.meta.dirname, '../../../shared/cases');
const file = join(cases, 'policy-table.json');
if (!existsSync(file)) console.log(`skipped: cases folder not found (${file})`);

/** One letter a cell (allowed, ? approval_required, denied), in registry order. */
const EXPECTED = {
  ReadOnly: '?dddad?dadaa?',
  Supervised: '????a???a?aa?',
  Full: 'aa?aaaa?aaaaa',
};
const LETTER = { allowed: 'a', approval_required: '?', denied: 'd' };

test.each(AUTONOMY_LEVELS)('the row of %s', (level) => {
  expect(REGISTRY.map(({ name }) => LETTER[tableOutcome(level, name)]).join('')).toBe(EXPECTED[level]);
});

test.skipIf(!existsSync(file))('all 39 cells of the cases folder', () => {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as { level: string; capability: string; outcome: string }[];
  expect(rows).toHaveLength(39);
  for (const row of rows) expect({ ...row, outcome: tableOutcome(row.level, row.capability) }).toEqual(row);
});

test('is_allowed_readonly_blocca_write_e_exec [security]', () => {
  for (const name of ['fs:write', 'code:exec', 'mail:send', 'network:http', 'llm:online', 'channel:out']) {
    expect(tableOutcome('ReadOnly', name)).toBe('denied');
  }
});

test('is_allowed_supervised_richiede_approval_per_critical', () => {
  const critical = REGISTRY.filter((one) => one.critical);
  expect(critical).toHaveLength(3);
  for (const { name } of critical) expect(tableOutcome('Supervised', name)).toBe('approval_required');
});

test('is_allowed_full_mantiene_always_per_critical_irreversibili [security]', () => {
  for (const name of ['code:exec', 'mail:send']) expect(tableOutcome('Full', name)).toBe('approval_required');
  expect(tableOutcome('Full', 'fs:write')).toBe('allowed');
});

describe('what is unknown is denied [security]', () => {
  const odd = ['', 'full', 'Full ', 'Root', '__proto__', 'constructor', 'hasOwnProperty', 'fs:read\n', 'get'];
  test.each(odd)('%j as level and as capability', (text) => {
    expect(tableOutcome(text, 'time:read')).toBe('denied');
    expect(tableOutcome('Full', text)).toBe('denied');
    expect(cellRule(text, 'time:read')).toBeNull();
    expect(cellRule('Full', text)).toBeNull();
  });
});

test('each cell names the rule that made it', () => {
  expect(cellRule('ReadOnly', 'time:read')).toBe('readonly-none');
  expect(cellRule('ReadOnly', 'mail:read')).toBe('readonly-read');
  expect(cellRule('ReadOnly', 'mail:send')).toBe('readonly-other');
  expect(cellRule('Supervised', 'channel:in')).toBe('supervised-none');
  expect(cellRule('Supervised', 'fs:read')).toBe('supervised-asks');
  expect(cellRule('Full', 'code:exec')).toBe('full-always');
  expect(cellRule('Full', 'llm:online')).toBe('full-open');
});

test('a denied answer can say which level would allow it', () => {
  expect(neededLevel('fs:write')).toBe('Supervised');
  expect(neededLevel('code:exec')).toBe('Supervised');
  expect(neededLevel('fs:read')).toBe('ReadOnly');
  expect(neededLevel('fs:delete')).toBeNull();
});
