import { expect, test } from 'vitest';
import { structuralGuard } from './structural.ts';

function judge(executor: string, args: unknown, cwd: string | null = null) {
  return structuralGuard({ executor, args, home: '/home/user', cwd });
}

test.each<[string]>([
  ['//etc/passwd'],
  ['/etc/./shadow'],
  ['/data/../etc/passwd'],
  ['../../../../etc/passwd'],
  ['/ETC/Passwd'],
  ['file:/etc/passwd'],
  ['file://localhost/etc/%73hadow'],
  ['/proc/self/root/etc/shadow'],
  ['/proc/self/cwd/../../etc/passwd'],
  ['/private/etc/sudoers'],
  ['/System/Volumes/Data/private/etc/passwd'],
  ['/var/root/.bashrc'],
  ['~/.SSH/id_rsa'],
  ['C:\\Users\\anna\\.ssh\\id_rsa'],
  ['%USERPROFILE%\\.aws\\credentials'],
  ['@/etc/./passwd'],
  ['/%65tc/passwd'],
])('%s is a closed place in another spelling', (path) => {
  expect(judge('read_file', { deep: [{ path }] })).toMatchObject({
    answer: 'block',
    rule: 'path.secret',
    reason: 'guard: struttura path: path.secret',
  });
});

test.each<[string]>([
  ['/etc/hosts'],
  ['src/etc/passwd'],
  ['/data/etc/passwd.md/../notes'],
  ['https://h/etc/passwd'],
  ['docs/.env.example'],
  ['see /etc/./passwd'],
  ['../lib/a.ts'],
  ['/proc/meminfo'],
])('%s is not', (path) => {
  expect(judge('read_file', { path }).answer).toBe('pass');
});

test('disks beyond the core’s list are closed too, harmless devices are not', () => {
  for (const path of ['/dev/disk0', '/dev/mapper/vg-root', '/dev/vda1', '/dev/../dev/dm-0']) {
    expect(judge('write_file', { path }), path).toMatchObject({ answer: 'block', rule: 'path.device' });
  }
  for (const path of ['/dev/null', '/dev/stdin', '/dev/shm/a', '/dev/pts/1'])
    expect(judge('write_file', { path }).answer, path).toBe('pass');
});

test('control files may be looked at and not changed', () => {
  for (const path of [
    '~/.claude/settings.json',
    '/w/.claude/settings.local.json',
    '~/.local/state/metnos/grants.db-wal',
    '~/.local/share/metnos/vaglio/2026-01.jsonl',
    '~/.codex/config.toml',
  ]) {
    expect(judge('edit_file', { path }), path).toMatchObject({ answer: 'block', rule: 'path.control' });
    expect(judge('read_file', { path }).answer, path).toBe('pass');
  }
  expect(judge('edit_file', { path: '~/.claude/notes.md' }).answer).toBe('pass');
});

test('the key of the operator is not even read', () => {
  const path = '~/.local/state/metnos/panel.lock';
  expect(judge('read_file', { path })).toMatchObject({ answer: 'block', rule: 'path.control' });
  expect(judge('read_file', { path: '~/work/panel.lock' }).answer).toBe('pass');
});

test('a relative path is read from the working folder', () => {
  expect(judge('read_file', { path: 'passwd' }, '/etc').answer).toBe('pass');
  expect(judge('read_file', { path: './passwd' }, '/etc').rule).toBe('path.secret');
  expect(judge('read_file', { path: '../.ssh/config' }, '/home/user/a').rule).toBe('path.secret');
});

test('too many values, or too deep ones, are a mark', () => {
  let deep: unknown = '/etc/./passwd';
  for (let i = 0; i < 200_000; i++) deep = [deep];
  expect(judge('read_file', { deep }).marks).toContain('shell.too-much');
  expect(judge('read_file', { many: new Array(20_000).fill('a') }).marks).toContain('shell.too-much');
});
