import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fails, type ModelServer, type Play, says, startModelServer } from '../../vaglio/model-server.stand-in.ts';
import { runCli } from '../cli.ts';

vi.setConfig({ testTimeout: 60_000 });

const NOW = new Date(2026, 10, 30, 12).getTime();
const SECRET = 'the-value-itself';

let home: string;
let server: ModelServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-judge-llm-'));
  server = await startModelServer();
  configure('');
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function configure(judge: string): void {
  mkdirSync(join(home, '.config/metnos'), { recursive: true });
  const role = `llm_roles: { judge: { provider: local, model: m, base_url: "${server.url}" } }`;
  writeFileSync(join(home, '.config/metnos/config.yaml'), `${role}\nvaglio: { judge: { ${judge} } }\n`);
}

async function vaglio(args: string[], calls: readonly unknown[], env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  let exit = 0;
  await runCli(['judge', ...args], {
    env,
    home,
    clock: () => NOW,
    out: (line) => out.push(...line.split('\n')),
    err: (line) => err.push(line),
    setExit: (code) => {
      exit = code;
    },
    stdin: (async function* () {
      yield Buffer.from(calls.map((call) => (typeof call === 'string' ? call : JSON.stringify(call))).join('\n'));
    })(),
    drained: async () => undefined,
  });
  return { answers: out.map((line) => JSON.parse(line)), err, exit };
}

const write = (id: number, intent = `scrivi ${id}`) => ({
  id,
  intent,
  executor: 'write_files',
  args: { path: '/tmp/a', content: SECRET },
});

/** Scores a call by the number in its intent, the later ones first. */
const byIntent: Play = (response, request) => {
  const body = server.heard.at(-1)?.body ?? '';
  const id = Number(/scrivi (\d+)/.exec(body)?.[1]);
  setTimeout(() => says(JSON.stringify({ score: id / 10, reason: `n${id}` }))(response, request), 80 - 10 * id);
};

test('every call is asked of the model, answered in the order of the lines and logged so', async () => {
  server.play = byIntent;
  const ids = [0, 1, 2, 3, 4, 5, 6];
  const { answers, err, exit } = await vaglio(
    ['--kind', 'llm-v1'],
    ids.map((id) => write(id)),
  );
  expect({ err, exit }).toEqual({ err: [], exit: 0 });
  expect(answers.map(({ id, score, approved, judge_kind }) => ({ id, score, approved, judge_kind }))).toEqual(
    ids.map((id) => ({ id, score: id / 10, approved: id >= 3, judge_kind: 'llm-v1' })),
  );
  const log = readFileSync(join(home, '.local/share/metnos/vaglio/2026-11.jsonl'), 'utf8');
  const logged = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(logged.map(({ intent, score }) => [intent, score])).toEqual(ids.map((id) => [`scrivi ${id}`, id / 10]));
  expect(log + server.heard.map(({ bytes }) => bytes).join()).not.toContain(SECRET);
});

test('what the guard blocks, a verb that reads and a broken line ask nothing', async () => {
  server.play = says('{"score": 0.9, "reason": "ok"}');
  const blocked = { ...write(1), args: { path: '~/.ssh/id_rsa' } };
  const reading = { ...write(2), executor: 'read_files' };
  const { answers, exit } = await vaglio(['--no-log', '--kind', 'llm-v1'], [blocked, reading, '{', write(4)]);
  expect(answers).toMatchObject([
    { id: 1, approved: false, blocked_by: 'guard' },
    { id: 2, judge_kind: 'safe-verb-shortcut' },
    { id: null, line: 3 },
    { id: 4, judge_kind: 'llm-v1' },
  ]);
  expect(exit).toBe(1);
  expect(server.heard).toHaveLength(1);
  expect(existsSync(join(home, '.local/share/metnos/vaglio'))).toBe(false);
});

test('the ceiling of the day holds over several runs', async () => {
  server.play = says('{"score": 0.9, "reason": "ok"}');
  configure('kind: llm-v1, daily_calls: 3');
  await vaglio(['--no-log'], [write(1), write(2)]);
  const { answers } = await vaglio(['--no-log'], [write(3), write(4)]);
  expect(server.heard).toHaveLength(3);
  expect(answers).toMatchObject([
    { judge_kind: 'llm-v1' },
    { judge_kind: 'rule-based-v1', reason: 'approved: score 0.70 (llm-judge tetto giornaliero raggiunto)' },
  ]);
});

test('with a panel.db that cannot count the rules answer', async () => {
  mkdirSync(join(home, '.local/state/metnos/panel.db'), { recursive: true });
  const { answers } = await vaglio(['--no-log', '--kind', 'llm-v1'], [write(1)]);
  expect(answers).toMatchObject([{ judge_kind: 'rule-based-v1', reason: expect.stringContaining('contatore') }]);
  expect(server.heard).toEqual([]);
});

test("the command's options win over the environment, and that over the file", async () => {
  server.play = says('{"score": 0.5, "reason": "ok"}');
  configure('kind: llm-v1, threshold_llm: 0.9');
  const kind = async (args: string[], env: Record<string, string>) =>
    (await vaglio(['--no-log', ...args], [write(1)], env)).answers[0];
  expect(await kind([], {})).toMatchObject({ judge_kind: 'llm-v1', approved: false });
  expect(await kind([], { METNOS_JUDGE_THRESHOLD_LLM: '0.4' })).toMatchObject({ approved: true });
  expect(await kind(['--threshold', '0.6'], { METNOS_JUDGE_THRESHOLD_LLM: '0.4' })).toMatchObject({ approved: false });
  expect(await kind([], { METNOS_JUDGE_KIND: 'rule-based-v1' })).toMatchObject({ judge_kind: 'rule-based-v1' });
  expect(await kind(['--kind', 'llm-v1'], { METNOS_JUDGE_KIND: 'rule-based-v1' })).toMatchObject({
    judge_kind: 'llm-v1',
  });
});

test('why the model did not answer is on stderr, once', async () => {
  server.play = fails(500, SECRET);
  const { answers, err, exit } = await vaglio(['--no-log', '--kind', 'llm-v1'], [write(1), write(2)]);
  expect(answers).toMatchObject([
    { score: 0.5 },
    { reason: 'approved: score 0.50 (llm-judge fallback (chat failed))' },
  ]);
  expect(err).toEqual(['warning: The LLM judge did not answer: HTTP 500.']);
  expect(exit).toBe(0);
});

test('a configuration with a fault judges nothing and exits 2', async () => {
  configure('threshold: 7');
  const { answers, err, exit } = await vaglio(['--no-log'], [write(1)]);
  expect({ answers, exit }).toEqual({ answers: [], exit: 2 });
  expect(err).toEqual([expect.stringContaining('config.yaml, line 2: vaglio.judge.threshold is 7')]);
});

test('the rule-based judge opens neither the panel database nor the model', async () => {
  await vaglio(['--no-log'], [write(1)]);
  expect(existsSync(join(home, '.local/state'))).toBe(false);
  expect(server.heard).toEqual([]);
});
