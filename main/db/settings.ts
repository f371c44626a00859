import type { ReadDb, WriteDb } from './open.ts';

/** What the operator set, by key, as text (panel.db, `settings`). */
export function readSetting(db: ReadDb, key: string): string | null {
  const value = db.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(key);
  return typeof value === 'string' ? value : null;
}

export function writeSetting(db: WriteDb, key: string, value: string): void {
  db.prepare(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  ).run(key, value);
}
