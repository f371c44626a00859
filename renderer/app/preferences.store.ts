import { create } from 'zustand';
import type { Preferences } from '../../shared/rpc/app.ts';
import { rpc } from '../rpc/client.ts';
import { i18n, type Language, preferredLanguage } from './i18n/i18n.ts';

interface Look {
  theme: Preferences['theme'];
  language: Language;
  notifications: boolean;
  claude_transcripts: boolean;
  /** True when the last choice could not be kept by the engine. */
  unsaved: boolean;
}

export const usePreferences = create<Look>(() => ({
  theme: 'system',
  language: 'en',
  notifications: true,
  claude_transcripts: false,
  unsaved: false,
}));

function show(look: Partial<Look>): void {
  usePreferences.setState(look);
  const { theme, language } = usePreferences.getState();
  document.documentElement.dataset.theme = theme;
  document.documentElement.lang = language;
  if (i18n.language !== language) void i18n.changeLanguage(language);
}

/** The look that was kept; without a kept language, the browser's. */
export function applyPreferences(kept: Preferences | null): void {
  show({
    theme: kept?.theme ?? 'system',
    language: kept?.language ?? preferredLanguage(navigator.languages),
    notifications: kept?.notifications ?? true,
    claude_transcripts: kept?.claude_transcripts ?? false,
  });
}

/** Shows the choice at once and has the engine keep it. */
export async function choose(choice: Partial<Pick<Look, 'theme' | 'language' | 'notifications'>>): Promise<void> {
  show(choice);
  try {
    await rpc.app.setPreferences(choice);
    usePreferences.setState({ unsaved: false });
  } catch {
    usePreferences.setState({ unsaved: true });
  }
}

/**
 * Switches the reading of Claude Code's transcripts. What is shown is what the engine does: nothing changes before
 * its answer. Throws what the engine answers.
 */
export async function readTranscripts(wanted: boolean): Promise<void> {
  const { claude_transcripts } = await rpc.app.setPreferences({ claude_transcripts: wanted });
  usePreferences.setState({ claude_transcripts });
}
