import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createGrantsRepository } from './grants.ts';
import { openDatabase } from './open.ts';

/** Grants and revokes without end; says what is done only after it is confirmed. */
const WRITER = `
const { createGrantsRepository } = await import(process.argv[1]);
const { writeSync } = await import('node:fs');
const repository = createGrantsRepository(process.argv[2]);
const text = { channel: 'c', sender_id: 's', capability: 'fs:read', target: '~/a/*', granted_at: '2026-11-30T12:00:00Z' };
for (;;) {
  const { id } = repository.record({ ...text, expires_at: null, granted_by: null });
  writeSync(1, 'granted ' + id + '\\n');
  if (id % 2 === 0) {
    repository.revoke([id, id - 1], '2026-11-30T12:00:01Z');
    writeSync(1, 'revoked ' + id + '\\n');
  }
}`;

test.each([1, 2, 3, 10, 25])(
  'killed after %d confirmations: what was confirmed is there, nothing is half-done',
  async (after) => {
    const folder = mkdtempSync(join(tmpdir(), 'vaglio-crash-'));
    const file = join(folder, 'state/grants.db');
    const module = join(import.meta.dirname, 'grants.ts');
    const args = ['--input-type=module', '-e', WRITER, module, file];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const confirmed: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      confirmed.push(line);
      if (confirmed.length >= after) child.kill('SIGKILL');
    }
    const repository = createGrantsRepository(file);
    const rows = new Map(repository.list({ includeRevoked: true }).map((grant) => [grant.id, grant]));
    expect(confirmed.length).toBeGreaterThanOrEqual(after);
    for (const line of confirmed) {
      const [what, id] = line.split(' ');
      const row = rows.get(Number(id));
      expect(row, line).toBeDefined();
      if (what === 'revoked') expect(row?.revoked_at, line).not.toBeNull();
    }
    // A revocation of two is both or neither.
    for (const { id, revoked_at } of rows.values()) {
      if (id % 2 === 0) expect(rows.get(id - 1)?.revoked_at).toBe(revoked_at);
    }
    repository.record({
      channel: 'c',
      sender_id: 's',
      capability: 'fs:read',
      target: '~/b/*',
      granted_at: '2026-11-30T12:00:00Z',
      expires_at: null,
      granted_by: null,
    });
    repository.close();
    const db = openDatabase(file, { mode: 'read' });
    expect(db?.pragma('integrity_check', { simple: true })).toBe('ok');
    db?.close();
    rmSync(folder, { recursive: true, force: true });
  },
);
