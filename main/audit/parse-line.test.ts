import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_TEXT, type ParsedVerdict, parseLine, ruleOf } from './parse-line.ts';

function verdictOf(text: string): ParsedVerdict {
  const parsed = parseLine(text);
  if (parsed.kind !== 'verdict') throw new Error(`${parsed.kind}: ${text}`);
  return parsed.verdict;
}

const PATTERNS = [
  String.raw`(^|/)\.ssh(/|$)`,
  '^/etc/(passwd|shadow|sudoers)',
  '^/etc/ssh(/|$)',
  '^/root(/|$)',
  '^/boot(/|$)',
  '^/sys(/|$)',
  '^/proc(/[0-9]|$)',
  '^/dev/(sd|nvme|mmcblk|loop)',
  String.raw`\.aws/credentials`,
  String.raw`\.config/[^/]+/credentials\.env`,
  String.raw`\.gnupg(/|$)`,
];
const COMMANDS = [
  String.raw`\brm\s+-rf?\s+/(\s|$)`,
  String.raw`\brm\s+-rf?\s+~(\s|$|/)`,
  String.raw`\bmkfs\b`,
  String.raw`\bdd\s+.*\bof=/dev/`,
  String.raw`:\s*\(\s*\)\s*\{\s*:\|:&\s*\}`,
  String.raw`\bchmod\s+-?R?\s*0?77[0-9]\s+/`,
];
const path = (pattern: string): string => `guard: forbidden path violato: pattern '${pattern}' in args`;
const command = (pattern: string): string => `guard: comando shell quasi-irrecuperabile: '${pattern}'`;
const doubled = (pattern: string): string => pattern.replaceAll('\\', '\\\\');

describe('rule', () => {
  test.each(PATTERNS)('%s is the same rule from both writers', (pattern) => {
    expect(ruleOf(path(pattern))).toBe(pattern);
    expect(ruleOf(path(doubled(pattern)))).toBe(pattern);
  });
  test.each(COMMANDS)('%s is the same rule from both writers', (pattern) => {
    expect(ruleOf(command(pattern))).toBe(pattern);
    expect(ruleOf(command(doubled(pattern)))).toBe(pattern);
  });
  test.each([
    ['judge: score 0.20 < soglia 0.30 (score base)', 'judge:threshold'],
    ['guard: struttura shell: rm-recursive-root', 'structure:rm-recursive-root'],
    ['guard: something new', null],
    ["guard: forbidden path violato: pattern 'x", null],
    ['approved: score 0.70 (score base)', null],
    ['', null],
  ])('%s', (reason, rule) => {
    expect(ruleOf(reason)).toBe(rule);
  });
  test('an approved line has none; an unknown reason gives way to the key of ours', () => {
    const reason = path(String.raw`\.gnupg(/|$)`);
    expect(verdictOf(JSON.stringify({ approved: true, reason })).rule).toBeNull();
    expect(verdictOf(JSON.stringify({ approved: false, reason: 'new', rule: 'r1' })).rule).toBe('r1');
    expect(verdictOf(JSON.stringify({ approved: false, reason, rule: 'r1' })).rule).toBe(String.raw`\.gnupg(/|$)`);
  });
});

describe('a verdict', () => {
  test('of the original, every key', () => {
    const line = String.raw`{"approved": false, "reason": "guard: comando shell quasi-irrecuperabile: '\\\\bmkfs\\\\b'", "ts": 1793493753.4563165, "judge_kind": "rule-based-v1", "score": 0.0, "blocked_by": "guard", "intent": "è ora", "executor": "shell_exec", "args_keys": ["command"], "context_keys": ["mode", "step"]}`;
    expect(verdictOf(line)).toEqual({
      approved: false,
      reason: String.raw`guard: comando shell quasi-irrecuperabile: '\\bmkfs\\b'`,
      ts: 1793493753.4563165,
      judge_kind: 'rule-based-v1',
      score: 0,
      blocked_by: 'guard',
      intent: 'è ora',
      executor: 'shell_exec',
      args_keys: ['command'],
      context_keys: ['mode', 'step'],
      rule: String.raw`\bmkfs\b`,
    });
  });
  test.each([['"yes"'], ['1'], ['"true"'], ['null'], ['[true]'], ['{}']])(
    'approved: %s does not count as approved',
    (value) => {
      expect(verdictOf(`{"approved": ${value}}`).approved).toBe(false);
    },
  );
  test('wrong types are as good as missing', () => {
    const wrong =
      '{"approved":true,"reason":5,"ts":"soon","judge_kind":[],"score":"0.7","blocked_by":3,"intent":null,"executor":{},"args_keys":"path","context_keys":[1,"a",null]}';
    const missing = verdictOf('{"approved":true}');
    expect(verdictOf(wrong)).toEqual({ ...missing, context_keys: ['a'] });
    expect(missing).toMatchObject({ ts: null, score: null, blocked_by: null, intent: '', executor: '', args_keys: [] });
  });
  test('numbers that Python writes and JSON does not know count as missing, in values alone', () => {
    const line = '{"approved": true, "ts": NaN, "score": -Infinity, "reason": "NaN \\" Infinity", "executor": "y"}';
    expect(verdictOf(line)).toMatchObject({ ts: null, score: null, reason: 'NaN " Infinity', executor: 'y' });
    expect(verdictOf('{"approved": true, "ts": 1e400}').ts).toBeNull();
  });
  test('texts are cut, whole characters are kept', () => {
    const row = verdictOf(JSON.stringify({ approved: true, intent: '😀'.repeat(MAX_TEXT), reason: '\ud800x' }));
    expect(row.intent.length).toBe(MAX_TEXT);
    expect(row.intent.endsWith('…')).toBe(true);
    expect(row.intent.isWellFormed()).toBe(true);
    expect(row.reason).toBe('\ufffdx');
  });
});

describe('other lines', () => {
  test.each([
    ['{"ts_iso": "2026-11-20T10:00:00Z", "kind": "cross_user_send_blocked"}', 'cross_user_send_blocked', 1795168800],
    ['{"kind": "x", "ts": 5}', 'x', 5],
    ['{"a": 1}', 'unknown', null],
    ['{"kind": 7, "ts_iso": "tomorrow"}', 'unknown', null],
  ])('%s is an event', (line, name, ts) => {
    expect(parseLine(line)).toEqual({ kind: 'event', name, ts });
  });
  test.each([
    ['[1, 2]', 'not-object'],
    ['"s"', 'not-object'],
    ['null', 'not-object'],
    ['12', 'not-object'],
    ['NaN', 'not-object'],
    ['{"approved": tr', 'invalid-json'],
    ['', 'invalid-json'],
    ['{"approved": NaN', 'invalid-json'],
  ])('%s is unreadable', (line, why) => {
    expect(parseLine(line)).toEqual({ kind: 'unreadable', why });
  });
  test('nothing throws, and nothing but a literal true is approved', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.jsonValue(), (text, value) => {
        parseLine(text);
        const parsed = parseLine(JSON.stringify({ approved: value, reason: text }));
        expect(parsed.kind === 'verdict' && parsed.verdict.approved).toBe(value === true);
      }),
    );
  });
});
