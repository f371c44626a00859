import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askDoor } from './client.ts';
import { openEngineDoor } from './engine-door.ts';
import { standInLine } from './line.stand-in.ts';

let folder: string;
let logged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-engine-door-'));
  logged = [];
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const open = () =>
  openEngineDoor({
    paths: { stateDir: join(folder, 'state'), turnLog: join(folder, 'turns') },
    line: standInLine().line,
    clock: Date.now,
    log: (line) => logged.push(line),
  });
const socket = () => join(folder, 'state/vaglio.sock');

test('open it is well, and a turn that was not ended is written when it closes', async () => {
  const door = await open();
  expect(door.health()).toEqual({ name: 'agent-door', path: socket(), state: 'ok', advice: 'ok', detail: null });
  const step = { channel: 'c', sender_id: 's', turn_id: 't', step: 1, executor: 'x', ok: true };
  expect(await askDoor('turn.step', step, { path: socket(), timeoutMs: 5000 })).toMatchObject({
    value: { kept: true },
  });
  await door.close();
  expect(readdirSync(join(folder, 'turns'))).toHaveLength(1);
});

test('what cannot be opened is told once, is no error, and opens when the place is free', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  mkdirSync(socket(), { recursive: true });
  const door = await open();
  expect(door.health()).toMatchObject({ state: 'failed', detail: expect.stringContaining('no socket') });
  await vi.advanceTimersByTimeAsync(6000);
  expect(logged).toHaveLength(1);
  rmSync(socket(), { recursive: true });
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(door.health()).toMatchObject({ state: 'ok' }));
  await door.close();
});
