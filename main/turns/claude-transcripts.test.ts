import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClaudeTranscripts } from './claude-transcripts.ts';
import { makeTestTurns, type TestTurns, turn } from './test-turns.ts';
import { createTurnIndex } from './turn-index.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'transcripts-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

let minute = 0;
const base = (over: object) => ({
  sessionId: 's1',
  isSidechain: false,
  timestamp: new Date(Date.UTC(2026, 10, 30, 10, minute++)).toISOString(),
  ...over,
});
const prompt = (uuid: string, text: unknown, over = {}) =>
  base({ type: 'user', uuid, message: { role: 'user', content: text }, ...over });
const use = (id: string, name: string, input: object, over = {}) =>
  base({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] }, ...over });
const result = (id: string, content: unknown, is_error = false) =>
  base({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] } });
const answer = (text: string, over = {}) =>
  base({ type: 'assistant', message: { stop_reason: 'end_turn', content: [{ type: 'text', text }] }, ...over });
const text = (...lines: (object | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

function write(name: string, ...lines: (object | string)[]): string {
  const path = join(root, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text(...lines));
  return path;
}

/** Two requests with all that a transcript may hold between. */
const SAMPLE = () => [
  { type: 'summary', summary: 'about notes' },
  prompt('p1', 'read my notes', { permissionMode: 'default' }),
  use('c1', 'Read', { file_path: '/home/anna/notes.md' }),
  result('c1', 'milk'),
  '{"type":"assistant","message":{"content":[{"type":"tool_use","id"',
  { type: 'of-a-later-version' },
  prompt('side', 'look for more', { isSidechain: true }),
  use('c2', 'Bash', { command: 'ls /nowhere' }, { isSidechain: true }),
  result('c2', 'Exit code 2\nno such folder', true),
  answer('the sub-agent is done', { isSidechain: true }),
  answer('You need milk.'),
  prompt('p2', [{ type: 'text', text: 'now delete them' }]),
  use('c3', 'Bash', { command: 'rm notes.md' }),
  result('c3', 'Vaglio: not this one', true),
  use('c4', 'mcp__x__do', { secret: 'k' }),
  result('c4', 'Vaglio: said by the server itself', true),
];

function open(limits?: { files: number; turns: number }) {
  const index = createTurnIndex();
  const transcripts = createClaudeTranscripts(index, () => false, limits);
  const rows = () => index.page({}, undefined, 500)?.entries.map(({ row }) => row) ?? [];
  return { index, transcripts, rows };
}

describe('one transcript', () => {
  test('requests are turns, tool calls their steps, and what is not known is counted', async () => {
    write('-home-anna/s1.jsonl', ...SAMPLE());
    const { transcripts, rows } = open();
    transcripts.follow(root);
    await transcripts.scan();
    const [second, first] = rows();
    expect(rows()).toHaveLength(2);
    expect(first).toMatchObject({ source: 'claude-code', intent: 'read my notes', final_kind: 'answer' });
    expect(first).toMatchObject({ steps: 2, failed: 1, refused: 0, turn_id: 'p1', channel: 'claude-code' });
    expect(second).toMatchObject({ intent: 'now delete them', final_kind: null, end_ms: null });
    expect(second).toMatchObject({ steps: 2, failed: 0, refused: 1 });
    expect(transcripts.state()).toEqual({ files: 1, files_left_out: 0, turns: 2, skipped: 2, problem: null });
  });

  test('a turn as a whole has names of arguments; values come only when they are asked for', async () => {
    write('-home-anna/s1.jsonl', ...SAMPLE());
    const { index, transcripts, rows } = open();
    transcripts.follow(root);
    await transcripts.scan();
    const entry = index.get(rows()[1]?.key ?? '');
    if (entry === undefined) throw new Error('no turn');
    const { turn: found, text: raw } = transcripts.read(entry);
    const whole = found.whole(entry);
    expect(whole).toMatchObject({ final_message: 'You need milk.', conversation_id: 's1', mode: 'default' });
    expect(whole.steps.map(({ executor, outcome }) => [executor, outcome])).toEqual([
      ['Read', 'ran'],
      ['Bash', 'failed'],
    ]);
    expect(whole.steps[0]).toMatchObject({ args_keys: ['file_path'], has_values: true, vaglio_approved: null });
    expect(new Set(whole.steps.flatMap(({ stages }) => stages.map(({ state }) => state)))).toEqual(
      new Set(['unknown']),
    );
    expect(JSON.stringify(whole)).not.toContain('/home/anna/notes.md');
    expect(found.values(0)?.raw_args.text).toContain('/home/anna/notes.md');
    expect(found.values(0)?.result.text).toBe('"milk"');
    expect(found.values(2)).toBeNull();
    expect(raw.startsWith('{"sessionId":"s1"')).toBe(true);
    expect(raw).not.toContain('now delete them');
  });

  test('a server’s own words never make a step refused', async () => {
    write('-home-anna/s1.jsonl', ...SAMPLE());
    const { index, transcripts, rows } = open();
    transcripts.follow(root);
    await transcripts.scan();
    const entry = index.get(rows()[0]?.key ?? '');
    if (entry === undefined) throw new Error('no turn');
    const { steps } = transcripts.read(entry).turn.whole(entry);
    expect(steps.map(({ outcome }) => outcome)).toEqual(['refused', 'unknown']);
  });

  test('a torn tail waits; the turn grows and keeps its key', async () => {
    const path = write('-home-anna/s1.jsonl', prompt('p0', 'before'), answer('yes'), prompt('p1', 'go'));
    const line = text(use('c1', 'Read', {}));
    appendFileSync(path, line.slice(0, 40));
    const { transcripts, rows } = open();
    transcripts.follow(root);
    await transcripts.scan();
    const before = rows();
    expect(before.map(({ intent, steps }) => [intent, steps])).toEqual([
      ['go', 0],
      ['before', 0],
    ]);
    appendFileSync(path, line.slice(40));
    await transcripts.scan();
    expect(rows().map(({ key, steps }) => [key, steps])).toEqual([
      [before[0]?.key, 1],
      [before[1]?.key, 0],
    ]);
    expect(transcripts.state()).toMatchObject({ skipped: 0 });
  });

  test('a file that was written anew is read anew, and its old turn is said to be gone', async () => {
    const path = write('a/s1.jsonl', prompt('p1', 'one'), answer('yes'));
    const { index, transcripts, rows } = open();
    transcripts.follow(root);
    await transcripts.scan();
    const old = index.get(rows()[0]?.key ?? '');
    if (old === undefined) throw new Error('no turn');
    writeFileSync(path, text(prompt('p9', 'another'), answer('yes'), prompt('p10', 'and one more')));
    expect(() => transcripts.read(old)).toThrow('was changed');
    await transcripts.scan();
    expect(rows().map(({ intent }) => intent)).toEqual(['and one more', 'another']);
  });

  test('what Claude Code writes in a person’s name is no request; a command is', async () => {
    const command = '<command-message>init</command-message><command-name>/init</command-name>';
    write(
      'a/s1.jsonl',
      prompt('m', 'meta', { isMeta: true }),
      prompt('c', 'compacted', { isCompactSummary: true }),
      prompt('o', '<local-command-stdout>done</local-command-stdout>'),
      prompt('i', [{ type: 'text', text: '[Request interrupted by user]' }]),
      prompt('k', `${command}<command-args>all</command-args>`),
    );
    const { transcripts, rows } = open();
    transcripts.follow(root);
    await transcripts.scan();
    expect(rows().map(({ intent }) => intent)).toEqual(['/init all']);
  });
});

describe('bounds', () => {
  test('the newest files and the newest turns; the rest is counted', async () => {
    for (const n of [1, 2, 3]) {
      const path = write(`a/s${n}.jsonl`, prompt(`x${n}`, `x${n}`), prompt(`y${n}`, `y${n}`));
      utimesSync(path, n * 1000, n * 1000);
    }
    const { transcripts, rows } = open({ files: 2, turns: 3 });
    transcripts.follow(root);
    await transcripts.scan();
    expect(rows().map(({ intent }) => intent)).toEqual(['y3', 'x3', 'y2']);
    expect(transcripts.leftOut()).toBe(1);
    expect(transcripts.state()).toMatchObject({ files: 2, files_left_out: 1 });
  });

  test('a request that a continued session copied is listed once; a link is not followed', async () => {
    const copied = prompt('p1', 'one');
    write('a/s1.jsonl', copied);
    write('a/s2.jsonl', copied, answer('yes'), prompt('p2', 'two'));
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 's3.jsonl'), text(prompt('p3', 'three')));
    symlinkSync(join(outside, 's3.jsonl'), join(root, 'a/s3.jsonl'));
    symlinkSync(outside, join(root, 'b'));
    const { transcripts, rows } = open();
    transcripts.follow(root);
    await transcripts.scan();
    expect(rows().map(({ intent }) => intent)).toEqual(['two', 'one']);
    rmSync(outside, { recursive: true });
  });

  test('a folder that is not there is told, and nothing is thrown', async () => {
    const { transcripts, rows } = open();
    transcripts.follow(join(root, 'none'));
    await transcripts.scan();
    expect(rows()).toEqual([]);
    expect(transcripts.state()?.problem).toContain('ENOENT');
  });
});

describe('the switch', () => {
  let log: TestTurns;
  beforeEach(() => {
    log = makeTestTurns();
  });
  afterEach(() => log.end());

  test('nothing is read while it is off; on and off hold at once, beside the turn log', async () => {
    write('a/s1.jsonl', ...SAMPLE());
    log.append('2026-11-30.jsonl', turn());
    let folder: string | null = null;
    const turns = log.start({ transcripts: () => folder });
    expect((await log.settled(turns, 1))[0]?.source).toBe('log');
    expect((await turns.page({ limit: 1 })).state.transcripts).toBeNull();
    folder = root;
    turns.setUpAgain();
    const rows = await log.settled(turns, 3);
    expect(rows.map(({ source }) => source).sort()).toEqual(['claude-code', 'claude-code', 'log']);
    const own = rows.find(({ turn_id }) => turn_id === 'p1')?.key ?? '';
    expect((await turns.get({ key: own })).steps).toHaveLength(2);
    expect((await turns.values({ key: own, index: 0 })).raw_args.text).toContain('notes.md');
    expect((await turns.raw({ key: own })).text).toContain('You need milk.');
    folder = null;
    turns.setUpAgain();
    await vi.waitFor(async () => expect((await turns.page({ limit: 9 })).rows).toHaveLength(1));
    expect((await turns.page({ limit: 1 })).state.transcripts).toBeNull();
    await expect(turns.get({ key: own })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('while it is off the folder is never looked at', async () => {
    write('a/s1.jsonl', ...SAMPLE());
    const { transcripts, rows } = open();
    await transcripts.scan();
    expect([transcripts.state(), rows()]).toEqual([null, []]);
  });
});
