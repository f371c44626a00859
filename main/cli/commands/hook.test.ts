import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../cli.stand-in.ts';

test('the command line has the hook too: options reach it, and it denies without an engine', async () => {
  const home = mkdtempSync(join(tmpdir(), 'vaglio-hook-'));
  try {
    const input = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } });
    const ran = await runCommand(['hook', 'codex', '--wait', '5'], { home, input });
    expect([ran.out.length, ran.exit]).toEqual([1, 0]);
    expect(JSON.parse(ran.out[0] ?? '').hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('The engine is not running'),
    });
    const wrong = await runCommand(['hook', 'codex', '--allow'], { home, input });
    expect([wrong.out, wrong.err, wrong.exit]).toEqual([
      [],
      ['The hook has no option "--allow". The call is denied.'],
      2,
    ]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
