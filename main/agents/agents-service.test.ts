import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEngine, type Engine } from '../engine/engine.ts';

let home: string;
let engine: Engine;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-agents-'));
  const log = () => undefined;
  engine = await createEngine({ env: {}, home, clock: Date.now, host: 'serve', demo: false, agentDoor: true, log });
});
afterEach(async () => {
  await engine.close();
  rmSync(home, { recursive: true, force: true });
});

async function view(client: string) {
  const { agents } = await engine.services.agents.list({});
  return agents.find((agent) => agent.client === client);
}

test('an agent is shown with its settings, its last call and its last probe', { timeout: 30_000 }, async () => {
  const path = join(home, '.codex/hooks.json');
  expect(await view('codex')).toEqual({
    client: 'codex',
    title: 'Codex',
    path,
    installed: false,
    problem: null,
    last: null,
    probe: null,
  });
  const dry = await engine.services.agents.install({ client: 'codex', dry_run: true });
  expect([dry.written, existsSync(path)]).toEqual([false, false]);
  expect((await engine.services.agents.install({ client: 'codex' })).diff).toEqual(dry.diff);
  expect(readFileSync(path, 'utf8')).toContain('codex');

  const probe = await engine.services.agents.probe({ client: 'codex' });
  expect(probe).toMatchObject({ state: 'guarded', unasked: null });
  expect(await view('codex')).toMatchObject({
    installed: true,
    last: { executor: 'view_image', decision: 'denied' },
    probe,
  });
  expect((await engine.services.agents.uninstall({ client: 'codex' })).written).toBe(true);
  expect((await engine.services.agents.probe({ client: 'codex' })).state).toBe('absent');
});

test('calls that Claude Code noted and did not ask about are counted', { timeout: 30_000 }, async () => {
  const call = { type: 'tool_use', name: 'Bash', input: { command: 'ls' } };
  const line = (sessionId: string, content: unknown[]) =>
    JSON.stringify({ type: 'assistant', sessionId, timestamp: new Date().toISOString(), message: { content } });
  mkdirSync(join(home, '.claude/projects/p'), { recursive: true });
  const text = `${line('asked', [call])}\n${line('silent', [call, call])}\n`;
  writeFileSync(join(home, '.claude/projects/p/s.jsonl'), text);
  await engine.line.decide({
    channel: 'claude-code',
    sender_id: 'anna',
    intent: 'x',
    executor: 'TodoWrite',
    args: {},
    capability: 'parse:local',
    turn_id: 'asked',
  });
  const { unasked } = await engine.services.agents.probe({ client: 'claude-code' });
  expect(unasked).toEqual({ calls: 2, of: 3, sessions: 1 });
});
