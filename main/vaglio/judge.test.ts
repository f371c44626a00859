import { describe, expect, test } from 'vitest';
import { noUsers } from './guard.ts';
import { evaluate, type JudgeOptions, judge, THRESHOLD_RULE } from './judge.ts';

const NOW = 1_793_493_753_456;
const options: JudgeOptions = { threshold: 0.3, home: '/home/user', clock: () => NOW, passwd: noUsers };

function ask(
  intent: string,
  executor: string,
  args: unknown,
  context: unknown = {},
  change: Partial<JudgeOptions> = {},
) {
  return judge(intent, executor, args, context, { ...options, ...change });
}

describe('the named cases', () => {
  test('approva_path_innocuo', () => {
    expect(ask('leggi le mie note in /tmp/n.txt', 'read_files', { paths: ['/tmp/n.txt'] })).toEqual({
      approved: true,
      reason: 'approved: score 0.70 (score base)',
      ts: 1_793_493_753.456,
      judge_kind: 'rule-based-v1',
      score: 0.7,
      blocked_by: null,
    });
  });

  test.each([
    ['guard_blocca_ssh', '~/.ssh/id_rsa', '(^|/)\\.ssh(/|$)'],
    ['guard_blocca_etc_passwd', '/etc/passwd', '^/etc/(passwd|shadow|sudoers)'],
    ['guard_blocca_credentials_user', '~/.config/metnos/credentials.env', '\\.config/[^/]+/credentials\\.env'],
  ])('%s', (_, path, pattern) => {
    expect(ask('leggi', 'read_files', { path })).toEqual({
      approved: false,
      reason: `guard: forbidden path violato: pattern '${pattern}' in args`,
      ts: 1_793_493_753.456,
      judge_kind: 'rule-based-v1',
      score: 0,
      blocked_by: 'guard',
    });
  });

  test.each([
    ['guard_blocca_rm_rf_root', 'rm -rf /', '\\brm\\s+-rf?\\s+/(\\s|$)'],
    ['guard_blocca_fork_bomb', ':(){ :|:& };:', ':\\s*\\(\\s*\\)\\s*\\{\\s*:\\|:&\\s*\\}'],
  ])('%s', (_, command, pattern) => {
    const verdict = ask('pulisci', 'shell_exec', { command });
    expect(verdict).toMatchObject({ approved: false, blocked_by: 'guard', score: 0 });
    expect(verdict.reason).toBe(`guard: comando shell quasi-irrecuperabile: '${pattern}'`);
  });

  test('guard_lascia_passare_shell_innocua', () => {
    expect(ask('elenca', 'shell_exec', { command: 'ls -la /tmp' })).toMatchObject({ approved: true, blocked_by: null });
  });

  test('judge_intent_menziona_executor_alza_score', () => {
    const named = ask('read the file', 'read_files', { path: '/tmp/x' });
    expect(named).toMatchObject({ score: 0.8, reason: "approved: score 0.80 (intent menziona 'read')" });
    expect(named.score).toBeGreaterThan(ask('do it', 'read_files', { path: '/tmp/x' }).score);
  });

  test('judge_path_traversal_abbassa_score', () => {
    expect(ask('x', 'read_files', { path: '/tmp/../etc/foo' })).toMatchObject({
      approved: true,
      score: 0.5,
      reason: "approved: score 0.50 (possibile path traversal ('..' in path))",
    });
  });

  test('judge_sotto_soglia_blocca', () => {
    const { verdict, rule } = evaluate('x', 'read_files', { path: '/tmp/x' }, {}, { ...options, threshold: 0.99 });
    expect(verdict).toMatchObject({ approved: false, blocked_by: 'judge', score: 0.7 });
    expect(verdict.reason).toBe('judge: score 0.70 < soglia 0.99 (score base)');
    expect(rule).toBe(THRESHOLD_RULE);
  });
});

describe('signals', () => {
  test.each([
    ['a token of the name counts once', 'read the files', 'read_files', {}, {}, 0.8, "intent menziona 'read'"],
    ['the intent is lower-cased, the name is not', 'READ', 'Read_Files', {}, {}, 0.7, 'score base'],
    ['a token has three characters', 'ab cd', 'ab_cd', {}, {}, 0.7, 'score base'],
    ['characters are code points', '\u{1f600}\u{1f600}', '\u{1f600}\u{1f600}', {}, {}, 0.7, 'score base'],
    [
      'three of them do',
      'x\u{1f600}\u{1f600}\u{1f600}',
      '\u{1f600}\u{1f600}\u{1f600}',
      {},
      {},
      0.8,
      "intent menziona '\u{1f600}\u{1f600}\u{1f600}'",
    ],
    ['white space splits as in Python', 'now files', 'get\u001cfiles\u0085x', {}, {}, 0.8, "intent menziona 'files'"],
    ['a dotted capital I becomes two characters', 'İle', 'i̇le', {}, {}, 0.8, "intent menziona 'i̇le'"],
    ['a capital newer than Unicode 14 stays', 'ab\u1c89', 'ab\u1c8a', {}, {}, 0.7, 'score base'],
    ['.. and / in one value', 'x', 'y', { a: ['..', '/'] }, {}, 0.7, 'score base'],
    ['.. and / anywhere in it', 'x', 'y', { a: { b: 'u..r/c' } }, {}, 0.5, "possibile path traversal ('..' in path)"],
    ['the first odd key', 'x', 'y', { ok: 1, 'b c': 1, 'd e': 1 }, {}, 0.6, "chiave args anomala: 'b c'"],
    ['an empty key', 'x', 'y', { '': 1 }, {}, 0.6, "chiave args anomala: ''"],
    ['a digit first', 'x', 'y', { '1a': 1 }, {}, 0.6, "chiave args anomala: '1a'"],
    ['a letter beyond ASCII', 'x', 'y', { é: 1 }, {}, 0.6, "chiave args anomala: 'é'"],
    ['one final newline passes', 'x', 'y', { 'k\n': 1, _: 1, a1: 1 }, {}, 0.7, 'score base'],
    ['nested keys do not count', 'x', 'y', { a: { 'b c': 1 } }, {}, 0.7, 'score base'],
    ['critical false', 'x', 'y', {}, { critical: false }, 0.75, 'score base'],
    ['nothing else than false', 'x', 'y', {}, { critical: 0 }, 0.7, 'score base'],
    [
      'all of them',
      'read',
      'read_x',
      { 'a b': '../x' },
      { critical: false },
      0.55,
      "intent menziona 'read'; possibile path traversal ('..' in path); chiave args anomala: 'a b'",
    ],
  ])('%s', (_, intent, executor, args, context, score, notes) => {
    const verdict = ask(intent, executor, args, context);
    expect(verdict).toMatchObject({ approved: true, score, reason: `approved: score ${score.toFixed(2)} (${notes})` });
  });

  test('a name of thousands of tokens against a long intent gets the first token that is there', () => {
    const name = Array.from({ length: 6000 }, (_, i) => `tok${i}x`).join('_');
    const intent = 'tok'.repeat(100_000);
    expect(ask(intent, name, {}).score).toBe(0.7);
    expect(ask(`${intent}5999x ${intent}5998x ${intent}`, name, {}).reason).toContain("intent menziona 'tok5998x'");
  });
});

describe('threshold', () => {
  test('a score at the threshold is approved', () => {
    expect(ask('x', 'y', {}, {}, { threshold: 0.7 }).approved).toBe(true);
  });

  test('the sum counts as the original has it: 0.7 + 0.1 is a little below 0.8', () => {
    const verdict = ask('read', 'read_x', {}, {}, { threshold: 0.8 });
    expect(verdict).toMatchObject({ approved: false, score: 0.8, blocked_by: 'judge' });
  });

  test('a threshold that is no number denies', () => {
    expect(ask('x', 'y', {}, {}, { threshold: Number.NaN }).approved).toBe(false);
  });
});

describe('faults never approve', () => {
  test.each([
    ['an intent that is no text', null, 'read_files', {}, {}],
    ['an executor that is no text', 'x', 7, {}, {}],
    ['args that are a list', 'x', 'read_files', ['a'], {}],
    ['a name without end', 'x', 'y'.repeat(65_537), {}, {}],
    ['a context that is a text', 'x', 'read_files', {}, 'live'],
  ])('%s', (_, intent, executor, args, context) => {
    const verdict = ask(intent as string, executor as string, args, context);
    expect(verdict).toMatchObject({ approved: false, blocked_by: 'guard', score: 0 });
    expect(verdict.reason).toMatch(/^guard: args illeggibili: (type|size)$/);
  });

  test('a clock or user database that fails', () => {
    const broken = () => {
      throw new Error('broken');
    };
    expect(ask('x', 'y', { path: '~someone/x' }, {}, { passwd: broken })).toMatchObject({
      approved: false,
      blocked_by: 'guard',
    });
    expect(ask('x', 'y', { path: '~/.ssh' }, {}, { clock: broken })).toMatchObject({ approved: false, ts: 0 });
  });
});

describe('safe-verb shortcut', () => {
  const always = { safeVerbShortcut: true };
  test.each(['read', 'find', 'get', 'list', 'filter', 'describe', 'classify', 'compute', 'compare', 'sort', 'group'])(
    '%s',
    (verb) => {
      expect(ask('x', `${verb}_files`, { 'a b': '../x' }, {}, { ...always, threshold: 1 })).toMatchObject({
        approved: true,
        reason: `safe-verb: ${verb} (read-only/pure-compute)`,
        score: 1,
        judge_kind: 'safe-verb-shortcut',
        blocked_by: null,
      });
    },
  );

  test('never before the guard, never for another verb, never unless asked for', () => {
    expect(ask('x', 'read_files', { path: '~/.ssh' }, {}, always)).toMatchObject({
      approved: false,
      blocked_by: 'guard',
    });
    expect(ask('x', 'readx_files', {}, {}, always).judge_kind).toBe('rule-based-v1');
    expect(ask('x', 'Read_files', {}, {}, always).judge_kind).toBe('rule-based-v1');
    expect(ask('x', 'read', {}, {}, always).judge_kind).toBe('safe-verb-shortcut');
    expect(ask('x', 'read_files', {}).judge_kind).toBe('rule-based-v1');
  });
});
