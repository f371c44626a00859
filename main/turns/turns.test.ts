import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TurnRow } from '../../shared/domain/turn.ts';
import { casesFolder } from '../audit/test-log.ts';
import { decision, makeTestTurns, NOW, refused, step, type TestTurns, turn, verdictRow } from './test-turns.ts';

const DAY = '2026-11-30.jsonl';
let log: TestTurns;
beforeEach(() => {
  log = makeTestTurns();
});
afterEach(() => log.end());

const states = (steps: { stages: { state: string }[] }[], index = 0) => steps[index]?.stages.map(({ state }) => state);

describe('the turn log', () => {
  test('a line is a turn: what was asked, by whom, how it ended, how many steps', async () => {
    log.append(DAY, turn({ steps: [step(), refused({ step_num: 2 }), step({ step_num: 3, error: 'no such file' })] }));
    const turns = log.start();
    expect(await log.settled(turns, 1)).toEqual([
      {
        key: 't1',
        source: 'log',
        turn_id: 't1',
        at_ms: NOW - 60_000,
        start_ms: NOW - 60_000,
        end_ms: NOW - 50_000,
        last_ms: NOW - 50_000,
        intent: 'read my notes',
        channel: 'cli',
        sender: 'host',
        final_kind: 'answer',
        steps: 3,
        refused: 1,
        failed: 1,
      },
    ]);
  });

  test('a turn as a whole has names of arguments and no value; values are given when they are asked for', async () => {
    log.append(DAY, turn());
    const turns = log.start();
    await log.settled(turns, 1);
    const whole = await turns.get({ key: 't1' });
    expect(whole.steps[0]).toMatchObject({
      executor: 'read_files',
      outcome: 'ran',
      args_keys: ['path'],
      has_values: true,
      llm_in_tokens: 1500,
      llm_latency_ms: 1800,
      exec_ms: 341,
      vaglio_ms: 0,
    });
    expect(JSON.stringify(whole)).not.toContain('notes.md');
    expect(whole).toMatchObject({ final_message: 'Done.', mode: 'supervised', other_keys: ['candidates'] });
    expect(whole.place).toEqual({ file: DAY, line: 1, offset: 0 });
    const values = await turns.values({ key: 't1', index: 0 });
    expect(JSON.parse(values.resolved_args.text ?? '')).toEqual({ path: '/home/anna/notes.md' });
    expect(JSON.parse(values.other.text ?? '')).toEqual({ llm_text: '', seed_step: false });
    expect((await turns.raw({ key: 't1' })).text).toBe(JSON.stringify(turn()));
  });

  test('a stage that the log says nothing about is unknown, and what lies behind the end was not reached', async () => {
    log.append(
      DAY,
      turn({
        steps: [
          step(),
          refused(),
          step({ validation_failures: ['path: missing', { at: 'x' }], vaglio_approved: null }),
          step({ scope_violation: 'host evil.example', vaglio_approved: null }),
          {},
        ],
      }),
    );
    const turns = log.start();
    await log.settled(turns, 1);
    const { steps } = await turns.get({ key: 't1' });
    expect(states(steps, 0)).toEqual(['passed', 'passed', 'unknown', 'passed', 'unknown']);
    expect(states(steps, 1)).toEqual(['passed', 'passed', 'unknown', 'ended', 'not-reached']);
    expect(steps[1]?.stages[3]?.reason).toMatch(/^guard: forbidden path violato/);
    expect(states(steps, 2)).toEqual(['ended', 'not-reached', 'not-reached', 'not-reached', 'not-reached']);
    expect(steps[2]?.stages[0]?.reason).toBe('path: missing; {"at":"x"}');
    expect(states(steps, 3)).toEqual(['passed', 'ended', 'not-reached', 'not-reached', 'not-reached']);
    expect(states(steps, 4)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect(steps.map(({ outcome }) => outcome)).toEqual(['ran', 'refused', 'refused', 'refused', 'unknown']);
  });

  test('any line that is an object is a turn, however little it says', async () => {
    log.append(DAY, {}, { steps: 'none', turn_id: 7, ts_start: 'yesterday', user_query: ['x'] }, [1], 'no json\n');
    const turns = log.start();
    const rows = await log.settled(turns, 2);
    expect(rows.map(({ turn_id, intent, steps, start_ms }) => ({ turn_id, intent, steps, start_ms }))).toEqual(
      expect.arrayContaining([
        { turn_id: null, intent: '', steps: 0, start_ms: null },
        { turn_id: '7', intent: '', steps: 0, start_ms: null },
      ]),
    );
    const { state } = await turns.page({ limit: 1 });
    expect(state.unreadable).toBe(2);
    expect(state.unreadable_at.map(({ line, why }) => [line, why])).toEqual([
      [4, 'invalid-json'],
      [3, 'not-object'],
    ]);
  });

  test('a last line without its newline waits; a torn line behind which another begins costs one turn', async () => {
    const text = JSON.stringify(turn({ turn_id: 'late' }));
    log.append(DAY, turn(), text.slice(0, 80));
    const turns = log.start();
    await log.settled(turns, 1);
    log.append(DAY, `${text.slice(80)}\n`);
    await log.settled(turns, 2);
    log.append(DAY, text.slice(0, 90), turn({ turn_id: 'whole' }));
    const rows = await log.settled(turns, 3);
    expect(rows.map(({ key }) => key).sort()).toEqual(['late', 't1', 'whole']);
  });

  test('a file that is cut, replaced, deleted or comes anew is read as it is', async () => {
    log.append(DAY, turn({ turn_id: 'a' }), turn({ turn_id: 'b', ts_start: NOW / 1000 }));
    log.append('2026-11-29.jsonl', turn({ turn_id: 'old', ts_start: NOW / 1000 - 86_400 }));
    const turns = log.start();
    await log.settled(turns, 3);
    truncateSync(join(log.folder, DAY), `${JSON.stringify(turn({ turn_id: 'a' }))}\n`.length);
    expect((await log.settled(turns, 2)).map(({ key }) => key)).toEqual(['a', 'old']);
    writeFileSync(join(log.folder, 'new'), `${JSON.stringify(turn({ turn_id: 'c' }))}\n`);
    renameSync(join(log.folder, 'new'), join(log.folder, DAY));
    await vi.waitFor(async () =>
      expect((await turns.page({ limit: 9 })).rows.map(({ key }) => key)).toEqual(['c', 'old']),
    );
    rmSync(join(log.folder, DAY));
    expect((await log.settled(turns, 1)).map(({ key }) => key)).toEqual(['old']);
  });

  test('a folder that is not there is told, and what was read stays', async () => {
    const turns = log.start();
    log.append(DAY, turn());
    await log.settled(turns, 1);
    rmSync(log.folder, { recursive: true });
    await vi.waitFor(
      async () => {
        const { state, rows } = await turns.page({ limit: 9 });
        expect(state.problem).toBe('missing');
        expect(rows).toHaveLength(1);
      },
      { timeout: 10_000 },
    );
  });

  test('a turn that is written again with more steps grows under its key', async () => {
    log.append(DAY, turn({ ts_end: undefined, final_kind: undefined }));
    const turns = log.start();
    const [first] = await log.settled(turns, 1);
    expect(first).toMatchObject({ key: 't1', final_kind: null, end_ms: null });
    const abort = new AbortController();
    const seen: TurnRow[] = [];
    const ended = (async () => {
      for await (const event of turns.live({}, abort.signal)) seen.push(...event.rows);
    })();
    // The stream is on before anything is written.
    await new Promise((done) => setTimeout(done, 50));
    log.append(DAY, turn({ steps: [step(), step({ step_num: 2 })] }));
    await vi.waitFor(() => expect(seen).toMatchObject([{ key: 't1', steps: 2, final_kind: 'answer' }]), {
      timeout: 30_000,
    });
    abort.abort();
    await ended;
    expect((await turns.get({ key: 't1' })).steps).toHaveLength(2);
    expect((await turns.page({ limit: 9 })).rows).toHaveLength(1);
  });

  test('two turns of one id are two when they began at another time or are of another person', async () => {
    log.append(DAY, turn(), turn({ ts_start: NOW / 1000 - 5 }), turn({ actor: 'anna' }));
    const turns = log.start();
    const rows = await log.settled(turns, 3);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  });

  test('pages by key, newest first, with every filter', async () => {
    const at = (seconds: number) => ({ ts_start: NOW / 1000 + seconds, turn_id: `n${seconds}` });
    log.append(
      DAY,
      turn({ ...at(1), channel: 'web', user_query: 'Cerca la città più vicina' }),
      turn({ ...at(2), actor: 'anna', final_kind: 'error', steps: [refused()] }),
      turn({ ...at(3), steps: [step({ chosen_tool: 'shell_exec' })] }),
      turn({ ...at(4), final_kind: null }),
    );
    const turns = log.start();
    await log.settled(turns, 4);
    const keys = async (filter: Parameters<typeof turns.page>[0]['filter']) =>
      (await turns.page({ filter, limit: 9 })).rows.map(({ key }) => key);
    expect(await keys({})).toEqual(['n4', 'n3', 'n2', 'n1']);
    expect(await keys({ channel: 'web' })).toEqual(['n1']);
    expect(await keys({ sender: 'anna' })).toEqual(['n2']);
    expect(await keys({ outcome: 'error' })).toEqual(['n2']);
    expect(await keys({ outcome: 'none' })).toEqual(['n4']);
    expect(await keys({ refused: true })).toEqual(['n2']);
    expect(await keys({ executor: 'shell_exec' })).toEqual(['n3']);
    expect(await keys({ text: 'CITTA vic' })).toEqual(['n1']);
    expect(await keys({ from_ms: NOW + 2000, to_ms: NOW + 4000 })).toEqual(['n3', 'n2']);
    const first = await turns.page({ limit: 2 });
    expect(first.more).toBe(true);
    const second = await turns.page({ limit: 2, before: first.rows[1]?.key });
    expect([second.rows.map(({ key }) => key), second.more]).toEqual([['n2', 'n1'], false]);
    await expect(turns.page({ limit: 2, before: 'nobody' })).rejects.toMatchObject({ code: 'not-found' });
    expect((await turns.choices({})).senders).toEqual([
      { name: 'host', count: 3 },
      { name: 'anna', count: 1 },
    ]);
  });

  test('a line that was changed in its place is not shown as the turn that it was', async () => {
    log.append(DAY, turn());
    const turns = log.start();
    await log.settled(turns, 1);
    const path = join(log.folder, DAY);
    const text = readFileSync(path, 'utf8');
    // Same length, same inode, other words in the middle: only a look at the line itself can tell.
    writeFileSync(path, text.replace('"turn_id":"t1"', '"turn_id":"t9"'));
    await expect(turns.get({ key: 't1' })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('turns of our own line', () => {
  const intent = 'sort the invoices';

  test('answers that name a turn are one, with the stages that were kept and the intent of its verdict', async () => {
    log.verdicts.push(verdictRow(9, { ts: decision.verdict_ts, intent }));
    log.decide({});
    log.decide({
      step: 2,
      executor: 'shell_exec',
      at: NOW - 20_000,
      decision: 'denied',
      stage: 'policy',
      rule: 'policy:level',
      stages: decision.stages.slice(0, 2).concat({ stage: 'policy', outcome: 'ended', rule: 'policy:level' }),
      verdict_ts: null,
    });
    log.decide({ turn_id: null });
    const turns = log.start();
    const [row] = await log.settled(turns, 1);
    expect(row).toMatchObject({ key: 'own1', source: 'line', intent, steps: 2, refused: 1, final_kind: null });
    expect(row).toMatchObject({ start_ms: NOW - 30_000, last_ms: NOW - 20_000, channel: 'cli', sender: 'anna' });
    const { steps } = await turns.get({ key: 'own1' });
    expect(states(steps, 0)).toEqual(['skipped', 'passed', 'passed', 'passed', 'skipped']);
    expect(states(steps, 1)).toEqual(['skipped', 'passed', 'ended', 'not-reached', 'not-reached']);
    expect(steps[0]).toMatchObject({
      verdict: { seq: 9, sure: true },
      target: '/home/anna/notes.md',
      has_values: false,
    });
    expect(steps[1]).toMatchObject({ outcome: 'refused', verdict: null });
    expect(await turns.ofVerdict({ seq: 9, ts: decision.verdict_ts ?? 0, executor: 'read_files', intent })).toEqual({
      found: { key: 'own1', index: 0, intent, sure: true },
    });
  });

  test('grows as it is decided, and is the same turn once the log has it', async () => {
    log.decide({});
    const turns = log.start();
    await log.settled(turns, 1);
    const abort = new AbortController();
    const seen: TurnRow[] = [];
    const ended = (async () => {
      for await (const event of turns.live({}, abort.signal)) seen.push(...event.rows);
    })();
    await new Promise((done) => setTimeout(done, 50));
    log.decide({ step: 2, at: NOW - 10_000 });
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ key: 'own1', steps: 2 }), { timeout: 30_000 });
    const reported = { turn_id: 'own1', channel: 'cli', actor: 'anna', user_query: intent, final_kind: 'answer' };
    const logged = [1, 2].map((step_num) => ({
      step_num,
      chosen_tool: 'read_files',
      result: { ok: true },
      exec_ms: 5,
    }));
    log.append(DAY, { ...reported, ts_start: NOW / 1000 - 29, ts_end: NOW / 1000, steps: logged });
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ key: 'own1', source: 'log', intent }), {
      timeout: 30_000,
    });
    abort.abort();
    await ended;
    expect((await turns.page({ limit: 9 })).rows).toHaveLength(1);
    const { steps } = await turns.get({ key: 'own1' });
    expect(steps).toHaveLength(2);
    expect(steps[0]).toMatchObject({
      outcome: 'ran',
      exec_ms: 5,
      target: '/home/anna/notes.md',
      decided_ms: NOW - 30_000,
    });
    expect(states(steps, 0)).toEqual(['skipped', 'passed', 'passed', 'passed', 'skipped']);
  });

  test('a panel.db that cannot be read costs its turns, not the log’s', async () => {
    log.append(DAY, turn());
    log.decide({});
    writeFileSync(log.panelDb, 'no database at all, and long enough to be looked at as one'.repeat(20));
    for (const end of ['-wal', '-shm']) rmSync(`${log.panelDb}${end}`, { force: true });
    const turns = log.start();
    await log.settled(turns, 1);
    const { state } = await turns.page({ limit: 9 });
    expect(state.line_problem).toContain('panel.db is damaged');
    expect((await turns.get({ key: 't1' })).steps).toHaveLength(1);
  });
});

describe('verdicts and steps', () => {
  test('are tied by time, executor and order, and said to be likely', async () => {
    const steps = [
      step(),
      step({ step_num: 2, chosen_tool: 'shell_exec' }),
      refused({ step_num: 3 }),
      step({ step_num: 4 }),
    ];
    log.append(DAY, turn({ steps }));
    const at = (seq: number, over = {}) => verdictRow(seq, { ts: NOW / 1000 - 60 + seq, ...over });
    log.verdicts.push(
      at(1),
      at(2, { intent: 'of another turn at the same time' }),
      at(3, { approved: false }),
      at(4),
      at(70),
    );
    const turns = log.start();
    await log.settled(turns, 1);
    const found = await turns.get({ key: 't1' });
    expect(found.steps.map(({ verdict }) => verdict)).toEqual([
      { seq: 1, sure: false },
      null,
      { seq: 3, sure: false },
      { seq: 4, sure: false },
    ]);
    const asked = { executor: 'read_files', intent: 'read my notes' };
    expect((await turns.ofVerdict({ seq: 4, ts: NOW / 1000 - 56, ...asked })).found).toMatchObject({
      index: 3,
      sure: false,
    });
    expect((await turns.ofVerdict({ seq: 2, ts: NOW / 1000 - 58, ...asked, intent: 'another' })).found).toBeNull();
    expect((await turns.ofVerdict({ seq: 70, ts: NOW / 1000 + 10, ...asked })).found).toBeNull();
  });
});

test('a worker that dies is told, and the next question is answered again', async () => {
  log.append(DAY, turn());
  const once = join(log.folder, 'once.mjs');
  const real = new URL('./turns.worker.ts', import.meta.url).href;
  writeFileSync(
    once,
    `import { existsSync, writeFileSync } from 'node:fs';
    const mark = ${JSON.stringify(join(log.folder, 'died'))};
    if (existsSync(mark)) await import(${JSON.stringify(real)});
    else { writeFileSync(mark, ''); throw new Error('it fell over'); }`,
  );
  const turns = log.start({ worker: new URL(`file://${once}`) });
  await expect(turns.page({ limit: 1 })).rejects.toThrow('it fell over');
  expect(await log.settled(turns, 1)).toHaveLength(1);
});

const home = casesFolder('metnos-home');
test.skipIf(home === null)('the turns of a real home, every step tied to its verdict', async () => {
  const from = join(home as string, '.local/share/metnos');
  const lines = (folder: string) =>
    readdirSync(join(from, folder)).flatMap((name) =>
      readFileSync(join(from, folder, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  cpSync(join(from, 'turns'), log.folder, { recursive: true });
  const logged = lines('turns');
  const judged = lines('vaglio').filter((line) => 'approved' in line);
  log.verdicts.push(
    ...judged.map((line, seq) => verdictRow(seq, { ...line })).sort((a, b) => (a.ts ?? 0) - (b.ts ?? 0)),
  );
  const turns = log.start();
  const rows = await log.settled(turns, logged.length);
  expect(rows.reduce((sum, row) => sum + row.refused, 0)).toBe(judged.filter(({ approved }) => !approved).length);
  let tied = 0;
  for (const { key } of rows) {
    const { steps } = await turns.get({ key });
    for (const { verdict, vaglio_approved } of steps) {
      const found = log.verdicts.find(({ seq }) => seq === verdict?.seq);
      expect(found?.approved).toBe(vaglio_approved);
      tied++;
    }
  }
  expect(tied).toBe(judged.length);
});
