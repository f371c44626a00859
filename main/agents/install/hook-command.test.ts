import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findHookCommand, shellLine } from './hook-command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vaglio it's "));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(program: string, node = process.execPath) {
  const script = join(folder, 'hook.cjs');
  if (program !== '') writeFileSync(script, program);
  const { status, stdout, stderr } = spawnSync(shellLine({ node, script }, 'codex'), { shell: true, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the shell starts the hook, whatever stands in its path, and hands its answer on', () => {
  expect(run('process.stdout.write(process.argv[2])')).toEqual({ status: 0, stdout: 'codex', stderr: '' });
});

test.each([
  ['the hook is gone', ''],
  ['it cannot be read', 'this is no program'],
  ['it ends with another code', 'process.exit(7)'],
  ['it is killed', 'process.kill(process.pid, "SIGKILL")'],
  ['it blocks', 'process.exit(2)'],
])('%s: the call is blocked with a text', (_, program) => {
  const { status, stderr } = run(program);
  expect(status).toBe(2);
  expect(stderr).toContain('Vaglio: the hook could not be started, so the call is denied.');
});

test('Node is gone: the call is blocked with a text', () => {
  const { status, stderr } = run('0', '/nowhere/node');
  expect([status, stderr.includes('Vaglio')]).toEqual([2, true]);
});

test('the command names programs by absolute paths that are there', () => {
  const { node, script } = findHookCommand({});
  expect([node, script].every((path) => path.startsWith('/'))).toBe(true);
});
