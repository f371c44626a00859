import type { DecideRequest } from '../../../shared/domain/decision.ts';
import { findJsonFault, type JsonFault } from './json-fault.logic.ts';

/** What is typed in the form, kept as typed. */
export interface CallDraft {
  intent: string;
  executor: string;
  args: string;
  channel: string;
  sender_id: string;
  /** '' = let the line tell by itself. */
  capability: string;
}

export type DraftFault = 'empty' | 'not-object' | JsonFault;
export type DraftFaults = Partial<Record<keyof CallDraft, DraftFault>>;

/** What stands against sending; an empty object when nothing does. */
export function checkCall(draft: CallDraft): DraftFaults {
  const faults: DraftFaults = {};
  for (const field of ['executor', 'channel', 'sender_id'] as const) {
    if (draft[field].trim() === '') faults[field] = 'empty';
  }
  const json = findJsonFault(draft.args);
  if (json) faults.args = json;
  else if (!draft.args.trimStart().startsWith('{')) faults.args = 'not-object';
  return faults;
}

/** The request of a draft without faults. */
export function toRequest(draft: CallDraft): DecideRequest {
  return {
    channel: draft.channel.trim(),
    sender_id: draft.sender_id.trim(),
    intent: draft.intent,
    executor: draft.executor.trim(),
    args: JSON.parse(draft.args) as Record<string, unknown>,
    ...(draft.capability === '' ? {} : { capability: draft.capability }),
  };
}

/** Calls to begin with: one that passes, one that asks, one that nobody can allow. */
export const EXAMPLES = [
  {
    id: 'read',
    intent: 'find what I wrote about the budget',
    executor: 'read_files',
    args: { path: '~/Documents/budget.md' },
  },
  {
    id: 'command',
    intent: 'show how full the disk is',
    executor: 'shell_exec',
    args: { command: 'df -h' },
  },
  {
    id: 'key',
    intent: 'copy my key to the new laptop',
    executor: 'read_files',
    args: { path: '~/.ssh/id_ed25519' },
  },
  {
    id: 'wipe',
    intent: 'clean up old downloads',
    executor: 'shell_exec',
    args: { command: 'cd ~/Downloads && rm -rf ~/' },
  },
] as const;

export function exampleDraft(id: (typeof EXAMPLES)[number]['id'], before: CallDraft): CallDraft {
  const found = EXAMPLES.find((each) => each.id === id);
  if (!found) return before;
  const args = JSON.stringify(found.args, null, 2);
  return { ...before, intent: found.intent, executor: found.executor, args, capability: '' };
}
