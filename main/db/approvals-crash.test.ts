import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createApprovalsRepository } from './approvals.ts';
import { openDatabase } from './open.ts';

/** Cards and answers without end; says what is done only after it is confirmed. */
const WRITER = `
const { createApprovalsRepository } = await import(process.argv[1]);
const { writeSync } = await import('node:fs');
const approvals = createApprovalsRepository(process.argv[2]);
for (let n = 0; ; n += 1) {
  const token = 't' + n;
  approvals.add({ token, channel: 'c', sender_id: 's', capability_class: 'fs:write', action_verb: 'write',
    target_summary: 'x', created_at: '2026-11-30T12:00:00Z', expires_at: '2036-11-30T12:00:00Z', request_extra: 'open' });
  writeSync(1, 'asked ' + token + '\\n');
  if (n % 2 === 0) continue;
  const by = { channel: 'panel', sender_id: 'operator' };
  approvals.resolve({ token, status: 'approved', at: '2026-11-30T12:01:00Z', by, extra: () => 'closed' }, Date.now());
  writeSync(1, 'approved ' + token + '\\n');
}`;

test.each([1, 2, 3, 10, 25])(
  'killed after %d confirmations: what was confirmed is there, no answer is half there',
  async (after) => {
    const folder = mkdtempSync(join(tmpdir(), 'vaglio-approvals-crash-'));
    const file = join(folder, 'state/approvals.db');
    const args = ['--input-type=module', '-e', WRITER, join(import.meta.dirname, 'approvals.ts'), file];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const confirmed: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      confirmed.push(line);
      if (confirmed.length >= after) child.kill('SIGKILL');
    }
    const approvals = createApprovalsRepository(file);
    expect(confirmed.length).toBeGreaterThanOrEqual(after);
    for (const line of confirmed) {
      const [what, token = ''] = line.split(' ');
      const row = approvals.find(token);
      expect(row, line).not.toBeNull();
      if (what === 'approved') expect(row, line).toMatchObject({ status: 'approved', request_extra: 'closed' });
    }
    for (const { status, request_extra, decision_at } of [...approvals.pending(-1), ...approvals.resolved(5000, 0)]) {
      expect([status, request_extra, decision_at === null]).toEqual(
        status === 'pending' ? ['pending', 'open', true] : ['approved', 'closed', false],
      );
    }
    approvals.close();
    const db = openDatabase(file, { mode: 'read' });
    expect(db?.pragma('integrity_check', { simple: true })).toBe('ok');
    db?.close();
    rmSync(folder, { recursive: true, force: true });
  },
);
