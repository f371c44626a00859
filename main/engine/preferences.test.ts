import { expect, test } from 'vitest';
import { createPanelStore } from '../db/panel-store.ts';
import { writeSetting } from '../db/settings.ts';
import { changePreferences, readPreferences } from './preferences.ts';

test('notices can be switched off, and stay so when the look changes', () => {
  const panel = createPanelStore(':memory:');
  expect(readPreferences(panel).notifications).toBe(true);
  changePreferences(panel, { notifications: false });
  changePreferences(panel, { theme: 'dark' });
  expect(readPreferences(panel)).toEqual({
    language: null,
    theme: 'dark',
    notifications: false,
    claude_transcripts: false,
  });
  panel.close();
});

test.each([
  ['of an older version, which knew no notices', '{"language":"it","theme":"dark"}', 'dark'],
  ['that are no preferences', '{"theme":"pink"}', 'system'],
  ['that are no JSON', 'dark', 'system'],
])('preferences %s', (_, kept, theme) => {
  const panel = createPanelStore(':memory:');
  panel.write((db) => writeSetting(db, 'preferences', kept));
  expect(readPreferences(panel)).toMatchObject({ theme, notifications: true });
  panel.close();
});
