import type { Act } from '../../../shared/domain/integrity.ts';

/** An act for tests: a grant, at Unix second `at`, unless said otherwise. */
export function act(id: number, at: number, over: Partial<Act> = {}): Act {
  return {
    id,
    at,
    kind: 'grant',
    who: 'telegram:roberto',
    source: 'grants.db',
    source_id: String(id),
    facts: {
      channel: 'telegram',
      sender_id: 'roberto',
      capability: 'fs:write',
      target: '~/Documents/*',
      granted_at: '2026-11-01T00:00:00Z',
      expires_at: null,
      granted_by: 'telegram:roberto',
    },
    ...over,
  };
}
