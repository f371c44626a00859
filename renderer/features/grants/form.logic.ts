import type { Capability } from '../../../shared/domain/capability.ts';
import type { NewGrant } from '../../../shared/domain/grant.ts';
import type { GrantScope } from '../../../shared/rpc/grants.ts';
import { type ExpiryPreset, expiryOf } from '../../app/grant-terms/expiry.logic.ts';
import { widthOf } from '../../app/grant-terms/width.logic.ts';
import type { Problem } from '../../rpc/problem.ts';

/** What is typed in the form, kept as typed. */
export interface GrantDraft {
  capability: string;
  channel: string;
  sender_id: string;
  target: string;
  preset: ExpiryPreset;
  /** Text of the date-time input, local time. */
  custom: string;
  confirmBroad: boolean;
}

export const DRAFT_FIELDS = ['capability', 'channel', 'sender_id', 'target', 'expires_at', 'confirmBroad'] as const;
export type DraftField = (typeof DRAFT_FIELDS)[number];

export type DraftFault = 'empty' | 'not-offered' | 'missing-date' | 'unreadable-date' | 'past' | 'confirm';

/** What stands at a field: found here before sending, or said by the engine. */
export type FieldFaults = Partial<Record<DraftField, { fault: DraftFault } | { problem: Problem }>>;

/**
 * What can be said before the engine is asked; an empty object when nothing stands against sending.
 * The engine checks all of it again, and more.
 */
export function checkDraft(
  draft: GrantDraft,
  capabilities: readonly Capability[],
  now: Date,
): Partial<Record<DraftField, DraftFault>> {
  const faults: Partial<Record<DraftField, DraftFault>> = {};
  const capability = capabilities.find((c) => c.name === draft.capability);
  if (draft.capability === '') faults.capability = 'empty';
  else if (capability?.default_approval !== 'per_target') faults.capability = 'not-offered';
  if (draft.channel.trim() === '') faults.channel = 'empty';
  if (draft.sender_id.trim() === '') faults.sender_id = 'empty';
  const kind = capability?.target_kind ?? 'exact';
  if (kind !== 'none' && draft.target.trim() === '') faults.target = 'empty';
  if (widthOf(kind, draft.target) === 'broad' && !draft.confirmBroad) faults.confirmBroad = 'confirm';
  const expiry = expiryOf(draft.preset, draft.custom, now);
  if (!expiry.ok) {
    const fault = { missing: 'missing-date', unreadable: 'unreadable-date', past: 'past' } as const;
    faults.expires_at = fault[expiry.why];
  }
  return faults;
}

/** For whom and for what. */
function scopeOf(draft: GrantDraft, capability: Capability): GrantScope {
  return {
    channel: draft.channel.trim(),
    sender_id: draft.sender_id.trim(),
    capability: capability.name,
    target: capability.target_kind === 'none' ? '*' : draft.target.trim(),
  };
}

/** What past calls can be held against; null while a part is missing. */
export function previewScope(draft: GrantDraft, capability: Capability | undefined): GrantScope | null {
  if (capability?.default_approval !== 'per_target') return null;
  const scope = scopeOf(draft, capability);
  return Object.values(scope).includes('') ? null : scope;
}

/** What is sent. Call it on a draft without faults. */
export function toNewGrant(draft: GrantDraft, capability: Capability, now: Date): NewGrant {
  const expiry = expiryOf(draft.preset, draft.custom, now);
  return {
    ...scopeOf(draft, capability),
    // A draft with a faulty date is not sent; should it be all the same, the engine refuses the text.
    expires_at: expiry.ok ? expiry.expires_at : draft.custom,
    ...(draft.confirmBroad ? { confirmBroad: true } : {}),
  };
}

/**
 * The field an error of the engine belongs to, null when it concerns the whole form.
 * @param code `userCode` of the error
 * @param subject the field that the engine named
 */
export function fieldOf(code: string | null, subject: string | null): DraftField | null {
  if (code === 'confirmation-needed') return 'confirmBroad';
  return DRAFT_FIELDS.find((field) => field === subject) ?? null;
}
