import type { ApprovalCard } from '../../../shared/domain/approval.ts';

/** A card for tests: telegram / roberto wants to write one file, ten minutes left, unless said otherwise. */
export function card(more: Partial<ApprovalCard> = {}): ApprovalCard {
  return {
    token: 'aa',
    channel: 'telegram',
    sender_id: 'roberto',
    status: 'pending',
    created_ms: Date.now(),
    expires_ms: Date.now() + 600_000,
    decided_ms: null,
    decided_by: null,
    ours: true,
    waiting: true,
    verb: 'write',
    intent: 'file the invoice',
    executor: 'write_files',
    object: '~/Documents/fatture-2026/04-Acme.pdf',
    from: null,
    to: null,
    bytes: 2048,
    count: 1,
    args_text: '{\n  "path": "~/Documents/fatture-2026/04-Acme.pdf"\n}',
    capability: 'fs:write',
    critical: true,
    reversible: false,
    depth: 'full',
    asked_before: 0,
    similar: { capability: 'fs:write', target: '~/Documents/fatture-2026/*' },
    problem: null,
    ...more,
  };
}
