import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../cli.stand-in.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-install-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('--dry-run shows the difference and writes nothing', async () => {
  const ran = await runCommand(['install', 'claude-code', '--dry-run'], { home });
  expect(ran.exit).toBe(0);
  expect(ran.out[0]).toBe(`--- ${join(home, '.claude/settings.json')} (not there yet)`);
  expect(ran.out.some((line) => line.startsWith('+') && line.includes('"PreToolUse"'))).toBe(true);
  expect(readdirSync(home)).toEqual([]);
});

test('in and out again, with what the person has to do', async () => {
  const path = join(home, '.codex/hooks.json');
  const installed = await runCommand(['install', 'codex'], { home });
  expect([installed.out, installed.exit]).toEqual([[], 0]);
  expect(installed.err.join('\n')).toMatch(/trust the hook/);
  expect(readFileSync(path, 'utf8')).toContain(process.execPath);
  expect((await runCommand(['install', 'codex'], { home })).err[0]).toMatch(/asks already/);
  expect((await runCommand(['uninstall', 'codex'], { home })).err[0]).toMatch(/^The hook is gone/);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({});
  expect((await runCommand(['uninstall', 'codex'], { home })).err[0]).toMatch(/has no hook of ours/);
});

test('uninstall where there is nothing makes nothing; an unknown agent is an error', async () => {
  expect((await runCommand(['uninstall', 'gemini'], { home })).exit).toBe(0);
  expect(existsSync(join(home, '.gemini'))).toBe(false);
  const ran = await runCommand(['install', 'other'], { home });
  expect([ran.err[0], ran.exit]).toEqual(['error: There is no agent "other". Known: claude-code, codex, gemini.', 2]);
});
