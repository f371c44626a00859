import { type Preferences, preferencesSchema } from '../../shared/rpc/app.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { readSetting, writeSetting } from '../db/settings.ts';

const KEY = 'preferences';
const FIRST: Preferences = { language: null, theme: 'system', notifications: true, claude_transcripts: false };

/** What the panel remembers of its look; the first look while panel.db cannot be read. */
export function readPreferences(panel: PanelStore): Preferences {
  try {
    const text = panel.read((db) => readSetting(db, KEY));
    // What an older version kept has fewer of them.
    return text === null ? FIRST : (preferencesSchema.safeParse({ ...FIRST, ...JSON.parse(text) }).data ?? FIRST);
  } catch {
    return FIRST;
  }
}

/** @throws UserError naming panel.db when it cannot be written */
export function changePreferences(
  panel: PanelStore,
  change: { [K in keyof Preferences]?: Preferences[K] | undefined },
): Preferences {
  const before = readPreferences(panel);
  const next: Preferences = {
    language: change.language === undefined ? before.language : change.language,
    theme: change.theme ?? before.theme,
    notifications: change.notifications ?? before.notifications,
    claude_transcripts: change.claude_transcripts ?? before.claude_transcripts,
  };
  panel.write((db) => writeSetting(db, KEY, JSON.stringify(next)));
  return next;
}
