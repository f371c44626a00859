import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ClientName } from './clients.ts';
import type { Installed } from './install.ts';

/**
 * `guarded`: denied, with the guard's reason; `denied`: denied because something failed, so nothing runs at all; `open`:
 * the client would have run it; `absent`: there is no hook of ours.
 */
export type ProbeState = 'guarded' | 'denied' | 'open' | 'absent';

export interface ProbeResult {
  state: ProbeState;
  /** A sentence for a person. */
  detail: string;
}

interface Ended {
  stdout: string;
  stderr: string;
  /** null: ended by a signal, or never started. */
  exit: number | null;
}

const LIMIT_MS = 20_000;

/** A call that nothing may let pass: the guard's rule for private keys stands above every level and grant. */
function questionOf(client: ClientName, home: string): string {
  const path = join(home, '.ssh/id_rsa');
  const shared = { session_id: 'vaglio-doctor', cwd: home };
  switch (client) {
    case 'claude-code':
      return JSON.stringify({
        ...shared,
        hook_event_name: 'PreToolUse',
        tool_name: 'Read',
        tool_input: { file_path: path },
      });
    case 'codex':
      return JSON.stringify({
        ...shared,
        hook_event_name: 'PreToolUse',
        tool_name: 'view_image',
        tool_input: { path },
      });
    case 'gemini':
      return JSON.stringify({
        ...shared,
        hook_event_name: 'BeforeTool',
        tool_name: 'read_file',
        tool_input: { file_path: path },
      });
    default:
      return client satisfies never;
  }
}

/** Why the call is blocked, as this client understands what it got (agents page, "Adapters"); null: it would run. */
export function blockedBecause(client: ClientName, { stdout, stderr, exit }: Ended): string | null {
  if (exit === 2) return stderr.trim() === '' && client === 'codex' ? null : stderr.trim();
  if (exit !== 0) return null;
  let said: unknown;
  try {
    said = JSON.parse(stdout);
  } catch {
    return null;
  }
  const answer = said as {
    decision?: unknown;
    reason?: unknown;
    hookSpecificOutput?: { permissionDecision?: unknown; permissionDecisionReason?: unknown };
  } | null;
  const decision = client === 'gemini' ? answer?.decision : answer?.hookSpecificOutput?.permissionDecision;
  const reason = client === 'gemini' ? answer?.reason : answer?.hookSpecificOutput?.permissionDecisionReason;
  if (decision !== 'deny') return null;
  const text = typeof reason === 'string' ? reason.trim() : '';
  return client === 'codex' && text === '' ? null : text;
}

/** Plays a call that has to be denied through the very command that the client starts. Never rejects. */
export async function probeInstalled(
  installed: Installed,
  given: { env: Readonly<Record<string, string | undefined>>; home: string; limitMs?: number },
): Promise<ProbeResult> {
  const { client, command, isShell, problem, path } = installed;
  if (command === null) {
    return { state: 'absent', detail: problem ?? `There is no hook of ours in ${path}: it asks nobody.` };
  }
  if (problem !== null) return { state: 'open', detail: problem };
  const ended = await run(command, isShell, questionOf(client, given.home), given);
  const reason = blockedBecause(client, ended);
  if (reason === null) {
    const how = ended.exit === null ? 'It was not answered in time.' : `It ended with ${ended.exit}.`;
    return { state: 'open', detail: `Reading a private key was NOT denied by the hook. ${how} Install it again.` };
  }
  const isGuard = reason.includes('guard:');
  return { state: isGuard ? 'guarded' : 'denied', detail: `Reading a private key was denied: ${reason}` };
}

function run(
  [program = '', ...args]: readonly string[],
  isShell: boolean,
  question: string,
  {
    env,
    home,
    limitMs = LIMIT_MS,
  }: { env: Readonly<Record<string, string | undefined>>; home: string; limitMs?: number },
): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(program, args, { shell: isShell, env: { ...env, HOME: home }, cwd: home, stdio: 'pipe' });
    let [stdout, stderr] = ['', ''];
    const end = (exit: number | null): void => {
      clearTimeout(timer);
      done({ stdout, stderr, exit });
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end(null);
    }, limitMs);
    child.stdout.on('data', (piece) => {
      stdout += String(piece);
    });
    child.stderr.on('data', (piece) => {
      stderr += String(piece);
    });
    child.on('error', (error) => {
      stderr += error.message;
      end(null);
    });
    child.on('close', (code) => end(code));
    child.stdin.on('error', () => undefined);
    child.stdin.end(question);
  });
}
