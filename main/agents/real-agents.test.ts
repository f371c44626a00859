/** Real clients against a real engine: the hook as a process, and two reference servers of MCP behind the proxy. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApprovalCard } from '../../shared/domain/approval.ts';
import { createEngine, type Engine } from '../engine/engine.ts';

const HOOK = join(import.meta.dirname, 'hook/main.ts');
const CLI = join(import.meta.dirname, '../cli/main.ts');
const SERVERS = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol');
const SLOW = { timeout: 30_000 };

let home: string;
let work: string;
let engine: Engine;
let client: Client | null;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'vaglio-agents-')));
  work = join(home, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'note.txt'), 'what the note says');
  client = null;
  engine = await createEngine({
    env: {},
    home,
    clock: Date.now,
    host: 'serve',
    demo: false,
    agentDoor: true,
    log: () => undefined,
  });
});
afterEach(async () => {
  await client?.close();
  await engine.close();
  rmSync(home, { recursive: true, force: true });
});

function grant(channel: string, capability: string, target: string): void {
  engine.services.grants.record({ channel, sender_id: userInfo().username, capability, target });
}

async function pending(): Promise<ApprovalCard[]> {
  const { cards } = await engine.services.approvals.list({ status: 'pending', limit: 10 });
  return cards;
}

async function card(): Promise<ApprovalCard> {
  await expect.poll(async () => (await pending()).length, SLOW).toBe(1);
  return (await pending())[0] as ApprovalCard;
}

/** Claude Code's question, to the hook as a process. */
function hook(
  tool_name: string,
  tool_input: unknown,
  cwd = work,
): Promise<{ permissionDecision: string; permissionDecisionReason: string }> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [HOOK, 'claude-code'], { env: { HOME: home } });
    let stdout = '';
    child.stdout.on('data', (piece) => {
      stdout += String(piece);
    });
    child.on('close', (code) => {
      if (code === 0) done(JSON.parse(stdout).hookSpecificOutput);
      else fail(new Error(`exit ${code}`));
    });
    child.stdin.end(JSON.stringify({ session_id: 's', cwd, hook_event_name: 'PreToolUse', tool_name, tool_input }));
  });
}

test('rm -rf ~ is denied with the reason of the guard, and no card', SLOW, async () => {
  const { permissionDecision, permissionDecisionReason } = await hook('Bash', { command: 'rm -rf ~' });
  expect(permissionDecision).toBe('deny');
  expect(permissionDecisionReason).toContain(
    "guard: comando shell quasi-irrecuperabile: '\\brm\\s+-rf?\\s+~(\\s|$|/)'",
  );
  expect(await pending()).toEqual([]);
});

test('git status under Supervised makes a card, and answering it answers the hook', SLOW, async () => {
  for (const [kind, decision] of [
    ['once', 'allow'],
    ['no', 'deny'],
  ] as const) {
    const answer = hook('Bash', { command: 'git status' });
    const shown = await card();
    expect(shown).toMatchObject({
      channel: 'claude-code',
      capability: 'code:exec',
      object: 'git status',
      waiting: true,
    });
    await engine.services.approvals.resolve({ token: shown.token, choice: { kind } });
    expect((await answer).permissionDecision).toBe(decision);
  }
});

test('Read of a granted path passes without a card, its neighbour does not', SLOW, async () => {
  grant('claude-code', 'fs:read', `${work}/**`);
  expect((await hook('Read', { file_path: join(work, 'note.txt') })).permissionDecision).toBe('allow');
  expect((await hook('Grep', { pattern: 'x' })).permissionDecision).toBe('allow');
  const outside = hook('Read', { file_path: `${work}/../other.txt` });
  const shown = await card();
  await engine.services.approvals.resolve({ token: shown.token, choice: { kind: 'no' } });
  expect((await outside).permissionDecision).toBe('deny');
});

test('a command says where it runs: what is harmless here is not there', SLOW, async () => {
  const answer = hook('Bash', { command: 'cat id_rsa' });
  const shown = await card();
  expect(JSON.parse(shown.args_text ?? '')).toEqual({ command: 'cat id_rsa', cwd: work });
  await engine.services.approvals.resolve({ token: shown.token, choice: { kind: 'no' } });
  expect((await answer).permissionDecision).toBe('deny');
  const there = await hook('Bash', { command: 'cat id_rsa' }, join(home, '.ssh'));
  expect(there.permissionDecisionReason).toContain('guard: forbidden path');
});

test('a key is denied whatever was granted; a tool that nobody knows makes a card; notes pass', SLOW, async () => {
  expect((await hook('Read', { file_path: join(home, '.ssh/id_rsa') })).permissionDecision).toBe('deny');
  expect((await hook('TodoWrite', { todos: [] })).permissionDecision).toBe('allow');
  const unknown = hook('Deploy', { to: 'production' });
  const shown = await card();
  expect(shown).toMatchObject({ capability: 'code:exec', critical: true, object: 'Deploy' });
  await engine.services.approvals.resolve({ token: shown.token, choice: { kind: 'no' } });
  expect((await unknown).permissionDecision).toBe('deny');
});

/** The official client, with one of the reference servers behind the proxy. */
async function connect(server: string, ...args: string[]): Promise<Client> {
  const entry = join(SERVERS, server, 'dist/index.js');
  client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--', process.execPath, entry, ...args],
      env: { HOME: home, PATH: process.env.PATH ?? '' },
      cwd: work,
      stderr: 'ignore',
    }),
  );
  return client;
}

function said(result: unknown): string {
  return (result as CallToolResult).content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

test(
  'the filesystem server: list and read inside a grant, a key is a result with isError, a cancelled call closes its card',
  SLOW,
  async () => {
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh/x'), 'secret');
    const files = await connect('server-filesystem', home);
    const { tools } = await files.listTools();
    expect(tools.map(({ name }) => name)).toContain('read_text_file');
    grant('mcp', 'fs:read', `${work}/**`);

    const listed = await files.callTool({ name: 'list_directory', arguments: { path: work } });
    expect([listed.isError ?? false, said(listed)]).toEqual([false, expect.stringContaining('note.txt')]);
    const read = await files.callTool({ name: 'read_text_file', arguments: { path: join(work, 'note.txt') } });
    expect([read.isError ?? false, said(read)]).toEqual([false, 'what the note says']);

    const key = await files.callTool({ name: 'read_text_file', arguments: { path: join(home, '.ssh/x') } });
    expect(key.isError).toBe(true);
    expect(said(key)).toContain("guard: forbidden path violato: pattern '(^|/)\\.ssh(/|$)' in args");

    const left = new AbortController();
    const cancelled = files
      .callTool({ name: 'write_file', arguments: { path: join(work, 'new.txt'), content: 'x' } }, undefined, {
        signal: left.signal,
      })
      .catch((error: unknown) => error);
    expect(await card()).toMatchObject({ capability: 'fs:write', waiting: true });
    left.abort();
    expect(await cancelled).toBeInstanceOf(Error);
    await expect.poll(async () => (await pending()).length, SLOW).toBe(0);
  },
);

test('the everything server: an unknown tool waits for a person, who is announced by progress', SLOW, async () => {
  const everything = await connect('server-everything');
  const told: unknown[] = [];
  const answer = everything.callTool({ name: 'echo', arguments: { message: 'hello' } }, undefined, {
    onprogress: ({ message }) => told.push(message),
  });
  const shown = await card();
  await expect.poll(() => told[0], SLOW).toBe('A person is asked about this call.');
  await engine.services.approvals.resolve({ token: shown.token, choice: { kind: 'once' } });
  expect(said(await answer)).toContain('hello');
  // What is no call of a tool needs nobody.
  expect((await everything.listPrompts()).prompts.length).toBeGreaterThan(0);
  expect((await everything.listResources()).resources.length).toBeGreaterThan(0);
});

test('without an engine every call is refused, and the rest works', SLOW, async () => {
  await engine.close();
  const files = await connect('server-filesystem', home);
  expect((await files.listTools()).tools.length).toBeGreaterThan(5);
  const read = await files.callTool({ name: 'read_text_file', arguments: { path: join(work, 'note.txt') } });
  expect([read.isError, said(read)]).toEqual([true, expect.stringContaining('The engine is not running')]);
});
