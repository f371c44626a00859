import { create } from 'zustand';
import type { CallDraft } from './call.logic.ts';
import { AS_IN_FORCE, type SupposedDraft } from './supposed.logic.ts';

/** What was typed, kept while the panel is open so that a look at another page loses nothing. */
export const useTryDraft = create<{ draft: CallDraft; supposed: SupposedDraft; lines: string; mode: 'one' | 'many' }>(
  () => ({
    draft: { intent: '', executor: '', args: '{}', channel: 'telegram', sender_id: 'roberto', capability: '' },
    supposed: AS_IN_FORCE,
    lines: '',
    mode: 'one',
  }),
);
