import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noUsers } from './guard.ts';
import { judge } from './judge.ts';
import { VerdictLog } from './log.ts';
import { type LogEntry, logLine } from './log-line.ts';

// Local time: the log's months are the machine's.
const NOVEMBER = new Date(2026, 10, 30, 23, 59, 59, 500).getTime();

let root: string;
let folder: string;
let now: number;
let log: VerdictLog;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vaglio-log-'));
  folder = join(root, 'a/vaglio');
  now = NOVEMBER;
  log = new VerdictLog({ folder, clock: () => now });
});
afterEach(() => {
  log.close();
  rmSync(root, { recursive: true, force: true });
});

const path = (month = '2026-11') => join(folder, `${month}.jsonl`);
const lines = (month?: string) => readFileSync(path(month), 'utf8').split('\n');
const tick = () => {
  now -= 1;
};
const intents = (month?: string) =>
  lines(month)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).intent);

function entry(intent: string, change: Partial<LogEntry> = {}): LogEntry {
  const verdict = judge(
    intent,
    'read_files',
    { path: '/tmp/x' },
    {},
    { threshold: 0.3, home: '/', clock: () => now, passwd: noUsers },
  );
  return { verdict, intent, executor: 'read_files', argsKeys: ['path'], contextKeys: ['step', 'mode'], ...change };
}

describe('the line', () => {
  test('has the keys, the order and the separators of the original', () => {
    const verdict = {
      approved: false,
      reason: "guard: '\\.ssh'",
      ts: 1714225863,
      judge_kind: 'rule-based-v1',
      score: 0,
      blocked_by: 'guard',
    } as const;
    const all = {
      verdict,
      intent: 'leggi "la" chiave è\n',
      executor: 'read_files',
      argsKeys: ['b', '\u{1f600}', '\uffff', 'a'],
      contextKeys: [],
    };
    const shared =
      '{"approved": false, "reason": "guard: \'\\\\.ssh\'", "ts": 1714225863.0, "judge_kind": "rule-based-v1", "score": 0.0, ' +
      '"blocked_by": "guard", "intent": "leggi \\"la\\" chiave è\\n", "executor": "read_files", ' +
      '"args_keys": ["a", "b", "\uffff", "\u{1f600}"], "context_keys": []';
    expect(logLine(all)).toBe(`${shared}}`);
    expect(logLine({ ...all, extra: { rule: '\\.ssh', step: 2, turn_id: 't1' } })).toBe(
      `${shared}, "turn_id": "t1", "step": 2, "rule": "\\\\.ssh"}`,
    );
  });

  test('is one line of JSON whatever is in it', () => {
    const line = logLine(entry('a\nb\r\u2028\ud800', { argsKeys: ['\n"'] }));
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({
      intent: 'a\nb\r\u2028\ud800',
      args_keys: ['\n"'],
      score: 0.7,
      blocked_by: null,
    });
    expect(Buffer.from(line).toString()).toBe(line);
  });
});

test('log_jsonl_viene_scritto', () => {
  log.write(entry('marcatore-dell-intento'));
  expect(intents()).toEqual(['marcatore-dell-intento']);
  expect(readFileSync(path(), 'utf8').endsWith('}\n')).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(log.health()).toEqual({
    name: 'verdict-log',
    path: path(),
    state: 'ok',
    advice: '',
    detail: null,
    missing: 0,
  });
});

test('args_keys_loggate_non_values', () => {
  const args = { path: 'PASSWORD_segreto_123', deep: { inner: ['PASSWORD_segreto_456'] } };
  const verdict = judge('x', 'read_files', args, {}, { threshold: 0.3, home: '/', clock: () => now, passwd: noUsers });
  log.write({ verdict, intent: 'x', executor: 'read_files', argsKeys: Object.keys(args), contextKeys: [] });
  const text = readFileSync(path(), 'utf8');
  expect(text).not.toContain('segreto');
  expect(JSON.parse(text).args_keys).toEqual(['deep', 'path']);
});

test('opens nothing before the first line', () => {
  expect(existsSync(folder)).toBe(false);
  expect(log.health().missing).toBe(0);
});

describe('the file', () => {
  test('changes with the local month, forward and back', () => {
    log.write(entry('november'));
    now += 500;
    log.write(entry('december'));
    now -= 500;
    log.write(entry('back'));
    expect(intents('2026-11')).toEqual(['november', 'back']);
    expect(intents('2026-12')).toEqual(['december']);
  });

  test('deleted with its folder: the next line is in a new one', () => {
    log.write(entry('one'));
    rmSync(folder, { recursive: true });
    tick();
    log.write(entry('two'));
    expect(intents()).toEqual(['two']);
    expect(log.health()).toMatchObject({ state: 'ok', missing: 0 });
  });

  test('replaced: the next line is in the new one', () => {
    log.write(entry('one'));
    writeFileSync(join(folder, 'new'), '{"intent": "other"}\n');
    renameSync(join(folder, 'new'), path());
    tick();
    log.write(entry('two'));
    expect(intents()).toEqual(['other', 'two']);
  });

  test('moved away: a new one is made within a moment, and nothing is lost', () => {
    log.write(entry('one'));
    renameSync(path(), join(folder, 'kept'));
    log.write(entry('two'));
    now -= 251;
    log.write(entry('three'));
    expect(intents()).toEqual(['three']);
    expect(readFileSync(join(folder, 'kept'), 'utf8').match(/"intent": "\w+"/g)).toEqual([
      '"intent": "one"',
      '"intent": "two"',
    ]);
  });

  test('cut: lines go on at its new end', () => {
    log.write(entry('one'));
    writeFileSync(path(), '');
    tick();
    log.write(entry('two'));
    expect(intents()).toEqual(['two']);
  });

  test('shared with another writer, which may stop in the middle of a line', () => {
    log.write(entry('one'));
    appendFileSync(path(), '{"intent": "theirs"}\n{"inte');
    tick();
    log.write(entry('two'));
    log.write(entry('three'));
    const [one, theirs, torn, two, three, end] = lines();
    expect([one, theirs, two, three].map((line) => JSON.parse(line ?? '').intent)).toEqual([
      'one',
      'theirs',
      'two',
      'three',
    ]);
    expect([torn, end]).toEqual(['{"inte', '']);
  });

  test('left torn by an earlier run', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path(), '{"approved": tr');
    log.write(entry('one'));
    expect(lines()[0]).toBe('{"approved": tr');
    expect(JSON.parse(lines()[1] ?? '').intent).toBe('one');
  });

  test('two writers at once lose no line', () => {
    const other = new VerdictLog({ folder, clock: () => now });
    for (let i = 0; i < 50; i++) {
      log.write(entry(`a${i}`));
      other.write(entry(`b${i}`));
    }
    other.close();
    expect(intents()).toHaveLength(100);
  });
});

describe('a failure', () => {
  /** Puts something that is no file where the month's file belongs. */
  function block(): void {
    mkdirSync(path(), { recursive: true });
  }

  test('never throws, is seen, and what waits is written when it is over', () => {
    block();
    log.write(entry('one'));
    log.write(entry('two'));
    expect(log.health()).toMatchObject({ name: 'verdict-log', state: 'failed', advice: 'log-not-written', missing: 2 });
    expect(log.health().detail).toMatch(/EISDIR|is not a file/);
    rmSync(path(), { recursive: true });
    now -= 101;
    log.write(entry('three'));
    expect(intents()).toEqual(['one', 'two', 'three']);
    expect(log.health()).toMatchObject({ state: 'ok', missing: 0 });
  });

  test('can be tried again without a new line', () => {
    block();
    log.write(entry('one'));
    log.retry();
    expect(log.health().missing).toBe(1);
    rmSync(path(), { recursive: true });
    log.retry();
    expect(intents()).toEqual(['one']);
    expect(log.health()).toMatchObject({ state: 'ok', missing: 0 });
  });

  test('keeps a bounded number of lines and counts the others', () => {
    block();
    for (let i = 0; i < 1005; i++) log.write(entry(`i${i}`));
    expect(log.health().missing).toBe(1005);
    rmSync(path(), { recursive: true });
    log.retry();
    expect(intents()).toHaveLength(1000);
    expect(intents()[0]).toBe('i5');
    expect(log.health()).toMatchObject({ state: 'ok', advice: 'log-lines-lost', missing: 5 });
  });

  test('a folder that is a file, a pipe in the place of the file', () => {
    writeFileSync(join(root, 'a'), '');
    log.write(entry('one'));
    expect(log.health()).toMatchObject({ state: 'failed', missing: 1 });
    rmSync(join(root, 'a'));
    mkdirSync(folder, { recursive: true });
    execFileSync('mkfifo', [path()]);
    log.retry();
    expect(log.health().detail).toContain('is not a file');
    rmSync(path());
    log.retry();
    expect(intents()).toEqual(['one']);
  });

  test('a disk that fills up in the middle of a line: the piece is ended, and the line waits', () => {
    // A limit on the size of files cuts a write short as a full disk does.
    const script = `
      import { VerdictLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
      const [folder, text] = process.argv.slice(1);
      const log = new VerdictLog({ folder, clock: () => ${NOVEMBER} });
      for (let i = 0; i < 6; i++) log.write(JSON.parse(text));
      console.log(JSON.stringify(log.health()));
    `;
    const limited = 'trap "" XFSZ; ulimit -f 1; exec "$0" --input-type=module -e "$1" "$2" "$3"';
    const text = JSON.stringify(entry('full'));
    const answer = execFileSync('bash', ['-c', limited, process.execPath, script, folder, text], { encoding: 'utf8' });
    expect(statSync(path()).size).toBe(1024);
    const whole = lines().filter((line) => line.endsWith('}')).length;
    expect(whole).toBeGreaterThan(2);
    expect(JSON.parse(answer)).toMatchObject({ state: 'failed', missing: 6 - whole });

    log.write(entry('after'));
    const last = lines();
    expect(last[whole]).not.toMatch(/}$/);
    expect(JSON.parse(last[whole + 1] ?? '').intent).toBe('after');
    expect(last[whole + 2]).toBe('');
  });

  test('a clock that fails is a failure of the log, not of the verdict', () => {
    const broken = new VerdictLog({
      folder,
      clock: () => {
        throw new Error('no clock');
      },
    });
    const line = entry('x');
    expect(() => broken.write(line)).not.toThrow();
    expect(broken.health()).toMatchObject({ state: 'failed', detail: 'no clock', missing: 1 });
    broken.close();
  });
});

test('the file that is open is closed', () => {
  log.write(entry('one'));
  log.close();
  const fd = openSync(path(), 'r');
  closeSync(fd);
  log.write(entry('two'));
  expect(intents()).toEqual(['one', 'two']);
});
