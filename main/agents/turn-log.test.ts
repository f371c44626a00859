import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTurnLog, type TurnLog } from './turn-log.ts';

const DAY = new Date(2026, 10, 30, 23, 59, 50).getTime();
const key = { channel: 'cli', sender_id: 'anna', turn_id: 't1' };

let root: string;
let folder: string;
let now: number;
let logged: string[];
let turns: TurnLog;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vaglio-turns-'));
  folder = join(root, 'turns');
  now = DAY;
  logged = [];
  turns = createTurnLog({ folder, clock: () => now, log: (line) => logged.push(line) });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function lines(day = '2026-11-30') {
  const text = readFileSync(join(folder, `${day}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a turn becomes one line of the log when it ends, on the day that it ends', () => {
  turns.step({ ...key, step: 1, executor: 'read_files', ok: true, intent: 'read it', exec_ms: 12, llm_in_tokens: 5 });
  turns.step({ ...key, step: 2, executor: 'send', ok: false, error: 'no route', intent: 'another text' });
  now += 20_000;
  expect(turns.end({ ...key, final_kind: 'answer', final_message: 'Done.' })).toBe(true);
  expect(lines('2026-12-01')).toEqual([
    {
      turn_id: 't1',
      channel: 'cli',
      actor: 'anna',
      user_query: 'read it',
      ts_start: DAY / 1000,
      ts_end: DAY / 1000 + 20,
      final_kind: 'answer',
      final_message: 'Done.',
      steps: [
        { step_num: 1, chosen_tool: 'read_files', result: { ok: true }, error: null, exec_ms: 12, llm_in_tokens: 5 },
        { step_num: 2, chosen_tool: 'send', result: { ok: false }, error: 'no route' },
      ],
    },
  ]);
  expect(statSync(join(folder, '2026-12-01.jsonl')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('turns of one name of two senders are two; a second end is a turn of its own', () => {
  turns.step({ ...key, step: 1, executor: 'a', ok: true });
  turns.step({ ...key, sender_id: 'roberto', step: 1, executor: 'b', ok: true });
  turns.end({ ...key, final_kind: 'answer' });
  turns.end({ ...key, final_kind: 'error' });
  expect(lines().map(({ steps }) => (steps as unknown[]).length)).toEqual([1, 0]);
});

test('what was never ended is written at the close, without a final kind', () => {
  turns.step({ ...key, step: 1, executor: 'a', ok: true });
  turns.close();
  turns.close();
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).not.toHaveProperty('final_kind');
});

test('open turns and their steps are bounded, and the oldest turn is written rather than forgotten', () => {
  for (let step = 0; step < 1001; step++) {
    expect(turns.step({ ...key, step, executor: 'a', ok: true })).toBe(step < 1000);
  }
  for (let turn = 0; turn < 1000; turn++) turns.step({ ...key, turn_id: `n${turn}`, step: 1, executor: 'a', ok: true });
  expect(lines().map(({ turn_id }) => turn_id)).toEqual(['t1']);
});

test('behind a torn line ours stays whole', () => {
  mkdirSync(folder);
  writeFileSync(join(folder, '2026-11-30.jsonl'), '{"turn_id":"x"}\n{"turn_');
  turns.end({ ...key, final_kind: 'answer' });
  const last = readFileSync(join(folder, '2026-11-30.jsonl'), 'utf8').trimEnd().split('\n').at(-1);
  expect(JSON.parse(last as string)).toMatchObject({ turn_id: 't1' });
});

test('a folder that cannot be written is told, and the report says that it was not kept', () => {
  writeFileSync(folder, 'a file');
  expect(turns.end({ ...key, final_kind: 'answer' })).toBe(false);
  expect(logged.join()).toContain(folder);
  expect(readdirSync(root)).toEqual(['turns']);
});
