import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../cli.ts';

const NOW = new Date(2026, 10, 30, 12).getTime();

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-cli-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(args: string[], input: string | Uint8Array[] = '', env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  let exit = 0;
  let drains = 0;
  async function* stdin() {
    yield* typeof input === 'string' ? [Buffer.from(input)] : input;
  }
  await runCli(args, {
    env,
    home,
    clock: () => NOW,
    out: (text) => out.push(...text.split('\n')),
    err: (text) => err.push(text),
    setExit: (code) => {
      exit = code;
    },
    stdin: stdin(),
    drained: async () => {
      drains++;
    },
  });
  return { out, answers: () => out.map((line) => JSON.parse(line)), err, exit, drains };
}

const CALL = { intent: 'leggi', executor: 'read_files', args: { path: '/tmp/x' } };
const line = (change: object = {}) => `${JSON.stringify({ ...CALL, ...change })}\n`;

test('a verdict a line, the id first and only when given, keys in the order of the page', async () => {
  const { out, exit } = await run(
    ['judge', '--no-log'],
    line({ id: 'a' }) + line({ id: 12, args: { path: '~/.ssh' } }) + line(),
  );
  expect(exit).toBe(0);
  const base = `"approved":true,"reason":"approved: score 0.70 (score base)","ts":${NOW / 1000},"judge_kind":"rule-based-v1","score":0.7,"blocked_by":null}`;
  expect(out[0]).toBe(`{"id":"a",${base}`);
  expect(out[1]).toBe(
    `{"id":12,"approved":false,"reason":"guard: forbidden path violato: pattern '(^|/)\\\\.ssh(/|$)' in args","ts":${NOW / 1000},"judge_kind":"rule-based-v1","score":0,"blocked_by":"guard"}`,
  );
  expect(out[2]).toBe(`{${base}`);
});

describe('a line that holds no call', () => {
  test.each([
    ['half a JSON', '{"intent": "x"', 'invalid JSON at character 15'],
    ['no object', '[1]', 'the line is no JSON object'],
    ['null', 'null', 'the line is no JSON object'],
    ['no intent', '{"executor":"a","args":{}}', 'intent is missing or no string'],
    ['an intent that is no text', '{"intent":1,"executor":"a","args":{}}', 'intent is missing or no string'],
    ['no executor', '{"intent":"x","args":{}}', 'executor is missing or no string'],
    ['no args', '{"intent":"x","executor":"a"}', 'args is missing'],
    ['a context that is a text', '{"intent":"x","executor":"a","args":{},"context":"live"}', 'context is no object'],
    ['a home that is a number', '{"intent":"x","executor":"a","args":{},"home":1}', 'home is no string'],
  ])('%s', async (_, text, error) => {
    const { answers, exit } = await run(['judge', '--no-log'], `${line({ id: 1 })}${text}\n${line({ id: 2 })}`);
    expect(exit).toBe(1);
    expect(answers()).toMatchObject([
      { id: 1, approved: true },
      { id: null, error, line: 2 },
      { id: 2, approved: true },
    ]);
    expect(answers()[1]).not.toHaveProperty('approved');
  });

  test('names its id when it has one, and counts blank lines', async () => {
    const { answers, exit } = await run(['judge', '--no-log'], `\n \n{"id":"q","intent":"x"}\n{"id":{},"intent":"x"}`);
    expect(answers()).toEqual([
      { id: 'q', error: 'executor is missing or no string', line: 3 },
      { id: null, error: 'id is no string or number', line: 4 },
    ]);
    expect(exit).toBe(1);
  });

  test('bytes that are no UTF-8', async () => {
    const bytes = Buffer.from(line());
    bytes[12] = 0xff;
    const { answers, exit } = await run(['judge', '--no-log'], [bytes]);
    expect(answers()).toEqual([{ id: null, error: 'the line is not UTF-8', line: 1 }]);
    expect(exit).toBe(1);
  });
});

test.each([['[]'], ['"ls"'], ['1.0'], ['["rm -rf /"]']])('args that are %s: the guard refuses them', async (args) => {
  const text = `{"id":1,"intent":"x","executor":"shell_exec","args":${args}}\n`;
  const { answers, exit } = await run(['judge', '--no-log'], text);
  expect(answers()).toMatchObject([{ id: 1, approved: false, blocked_by: 'guard' }]);
  expect(exit).toBe(0);
});

test('a line may come in pieces and be large, and stdout is waited for', async () => {
  const text = line({ id: 1, args: { a: `${'\n"x'.repeat(1_000_000)}/../` } }) + line({ id: 2 });
  const bytes = Buffer.from(text);
  const chunks = [bytes.subarray(0, 10), bytes.subarray(10, 2_000_000), bytes.subarray(2_000_000)];
  const { answers, drains } = await run(['judge', '--no-log'], chunks);
  expect(answers()).toMatchObject([
    { id: 1, score: 0.5 },
    { id: 2, score: 0.7 },
  ]);
  expect(drains).toBe(1);
});

test('text from outside cannot steer the terminal, and reads back as it was', async () => {
  const { out, answers } = await run(
    ['judge', '--no-log'],
    line({ id: '\u001b[31m\u202e', args: { '\u001b]0;x': 1 } }),
  );
  expect(out[0]).not.toMatch(/[\u202e\p{Cc}]/u);
  expect(answers()[0]).toMatchObject({
    id: '\u001b[31m\u202e',
    reason: "approved: score 0.60 (chiave args anomala: '\u001b]0;x')",
  });
});

test("args null counts as none, a missing home is the caller's, a given one counts", async () => {
  const { answers } = await run(
    ['judge', '--no-log'],
    line({ args: null }) + line({ args: { p: '~/x' } }) + line({ args: { p: '~/x' }, home: '/root' }),
  );
  expect(answers().map(({ approved }) => approved)).toEqual([true, true, false]);
});

test('JSON is read as the original reads it', async () => {
  const floats = '{"intent":"x","executor":"shell_exec","args":{"command":["chmod",777.0,"/"]}}\n';
  const order = '{"intent":"x","executor":"y","args":{"b":"/root","1":"/boot"},"id":12345678901234567890}\n';
  const { out, answers } = await run(['judge', '--no-log'], floats + order);
  expect(answers()[0]).toMatchObject({ approved: true });
  expect(answers()[1].reason).toContain("'^/root(/|$)'");
  expect(out[1]).toMatch(/^\{"id":12345678901234567890,/);
});

describe('settings', () => {
  test('the flag wins over the environment', async () => {
    const env = { METNOS_JUDGE_THRESHOLD: '0.99' };
    expect((await run(['judge', '--no-log'], line(), env)).answers()[0]).toMatchObject({
      approved: false,
      blocked_by: 'judge',
      reason: 'judge: score 0.70 < soglia 0.99 (score base)',
    });
    expect((await run(['judge', '--no-log', '--threshold', '0.5'], line(), env)).answers()[0]).toMatchObject({
      approved: true,
    });
  });

  test.each([
    [['judge', '--threshold', '2'], {}, '--threshold is "2"'],
    [['judge'], { METNOS_JUDGE_THRESHOLD: 'high' }, 'METNOS_JUDGE_THRESHOLD is "high"'],
    [['judge', '--kind', 'magic'], {}, "argument 'magic' is invalid"],
    [['judge', '--nonsense'], {}, "unknown option '--nonsense'"],
    [['nonsense'], {}, "unknown command 'nonsense'"],
  ])('%j with %j is not understood: exit 2, nothing judged', async (args, env, error) => {
    const { out, err, exit } = await run(args, line(), env);
    expect({ out, exit }).toEqual({ out: [], exit: 2 });
    expect(err.join('\n')).toContain(error);
  });

  test('the shortcut is on only for `always`; another word is refused', async () => {
    const kind = async (env: Record<string, string>) =>
      (await run(['judge', '--no-log'], line(), env)).answers()[0].judge_kind;
    expect(await kind({ METNOS_SAFE_VERB_SHORTCUT: 'always' })).toBe('safe-verb-shortcut');
    expect(await kind({})).toBe('rule-based-v1');
    const refused = await run(['judge', '--no-log'], line(), { METNOS_SAFE_VERB_SHORTCUT: '1' });
    expect(refused).toMatchObject({ out: [], exit: 2, err: [expect.stringContaining('METNOS_SAFE_VERB_SHORTCUT')] });
  });
});

describe('the log', () => {
  const file = () => join(home, '.local/share/metnos/vaglio/2026-11.jsonl');

  test('gets a line a verdict: keys, never values; the rule that blocked', async () => {
    await run(['judge'], line({ context: { step: 1, mode: 'live' } }) + line({ args: { path: '~/.ssh/segreto' } }));
    const text = readFileSync(file(), 'utf8');
    expect(text).not.toContain('segreto');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((each) => JSON.parse(each)),
    ).toMatchObject([
      { approved: true, args_keys: ['path'], context_keys: ['mode', 'step'], intent: 'leggi' },
      { approved: false, args_keys: ['path'], context_keys: [], rule: '(^|/)\\.ssh(/|$)' },
    ]);
  });

  test('is left alone with --no-log', async () => {
    await run(['judge', '--no-log'], line());
    expect(existsSync(join(home, '.local'))).toBe(false);
  });

  test('that cannot be written changes no verdict, and is said', async () => {
    writeFileSync(join(home, '.local'), '');
    const { answers, err, exit } = await run(['judge'], line() + line());
    expect(answers()).toMatchObject([{ approved: true }, { approved: true }]);
    expect(err.join()).toMatch(/^warning: 2 verdicts are not in the log /);
    expect(exit).toBe(0);
  });
});

test('help and version are no fault', async () => {
  expect(await run(['--version'])).toMatchObject({ exit: 0, out: [expect.stringMatching(/^\d+\.\d+\.\d+$/)] });
  const help = await run(['--help']);
  expect(help.exit).toBe(0);
  expect(help.out.join('\n')).toMatch(/judge[\s\S]*policy/);
});
