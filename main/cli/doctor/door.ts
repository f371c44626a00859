import { lstatSync } from 'node:fs';
import type { DecideAnswer, DecideRequest } from '../../../shared/domain/decision.ts';
import { askDecision, askDoor, mayRun } from '../../agents/client.ts';
import { isPipeName } from '../../agents/socket-file.ts';
import type { Finding } from './finding.ts';

const LIMIT_MS = 10_000;

/** A call that nothing may let pass: the guard's rule for private keys stands above every level and grant. */
const PROBE: DecideRequest = {
  channel: 'doctor',
  sender_id: 'doctor',
  intent: 'a probe of vaglio doctor, which has to be denied',
  executor: 'read_files',
  args: { path: '~/.ssh/id_rsa' },
  capability: 'fs:read',
};

/** Plays an agent at the socket: its file, a ping, and a call that has to be denied (agents page, "Adapters"). */
export async function checkDoor(path: string, version: string): Promise<Finding[]> {
  const file = fileOf(path);
  if (file.state === 'failed') return [file];
  const ping = await pingOf(path, version);
  return ping.state === 'failed' ? [file, ping] : [file, ping, await probeOf(path)];
}

function fileOf(path: string): Finding {
  const name = 'socket';
  if (isPipeName(path)) return { name, state: 'ok', detail: path };
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    return { name, state: 'failed', detail: `There is no ${path}: no engine has opened its door for agents.` };
  }
  if (!found.isSocket()) return { name, state: 'failed', detail: `${path} is no socket. Move it away.` };
  const mode = (found.mode & 0o777).toString(8);
  const isPrivate = mode === '600' && found.uid === process.getuid?.();
  if (isPrivate) return { name, state: 'ok', detail: path };
  return {
    name,
    state: 'failed',
    detail: `${path} is not for this user alone (mode ${mode}). Start the engine again.`,
  };
}

async function pingOf(path: string, version: string): Promise<Finding> {
  const name = 'ping';
  const asked = await askDoor('ping', {}, { path, timeoutMs: LIMIT_MS });
  if (!asked.ok) return { name, state: 'failed', detail: asked.failure.message };
  const { version: running, pid } = asked.value as { version?: unknown; pid?: unknown };
  const who = `Process ${String(pid)} answers, version ${String(running)}.`;
  if (running === version) return { name, state: 'ok', detail: who };
  return { name, state: 'warning', detail: `${who} This command is ${version}: start the engine again.` };
}

async function probeOf(path: string): Promise<Finding> {
  const name = 'probe';
  const asked = await askDecision(PROBE, { path, timeoutMs: LIMIT_MS });
  if (!asked.ok) return { name, state: 'failed', detail: asked.failure.message };
  const answer: DecideAnswer = asked.value;
  if (answer.decision === 'denied') {
    return { name, state: 'ok', detail: `Reading a private key was denied: ${answer.reason}` };
  }
  const what = mayRun(answer.decision) ? 'WAS ALLOWED' : `was answered with ${answer.decision}`;
  return { name, state: 'failed', detail: `Reading a private key ${what}. Do not let an agent run.` };
}
