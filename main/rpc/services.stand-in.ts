import { CAPABILITY_NAMES } from '../../shared/domain/capability.ts';
import type { GrantView } from '../../shared/domain/grant.ts';
import type { Integrity } from '../../shared/domain/integrity.ts';
import type { LevelState } from '../../shared/domain/level.ts';
import type { JudgeSettings } from '../../shared/rpc/app.ts';
import type { IndexState, Stats } from '../../shared/rpc/audit.ts';
import type { Services } from '../engine/services.ts';
import { sampleLineServices } from './line-services.stand-in.ts';
import { openStream } from './open-stream.stand-in.ts';
import { sampleProposals } from './proposals-service.stand-in.ts';
import { sampleTurns } from './turns-service.stand-in.ts';

/** Answers for every method of the contract, for tests of what stands in front of the services. */
export const sampleIndex: IndexState = {
  phase: 'following',
  files: 1,
  lines: 2,
  unreadable: 0,
  unreadable_at: [],
  events: 0,
  problem: null,
  detail: null,
};

export const sampleGrant: GrantView = {
  id: 1,
  channel: 'telegram',
  sender_id: 'anna',
  capability: 'fs:read',
  target: '~/notes/**',
  granted_at: '2026-11-01T00:00:00Z',
  expires_at: null,
  granted_by: 'operator',
  revoked_at: null,
  state: 'active',
  no_effect: null,
  expires_ms: null,
  granted_ms: 1_793_491_200_000,
  bad_expiry: false,
  uses: 0,
  last_used_ms: null,
  revoked_reason: null,
};

const row = {
  ts: 1_793_491_200.5,
  approved: true,
  reason: 'ok',
  judge_kind: 'rule-based-v1',
  score: 1,
  blocked_by: null,
  intent: 'read the notes',
  executor: 'file_read',
  args_keys: ['path'],
  context_keys: [],
  rule: null,
  file: '2026-11.jsonl',
  offset: 0,
};

const stats: Stats = {
  range: '24h',
  total: 0,
  approved: 0,
  denied: 0,
  blocked_by: {},
  events: {},
  over_time: { step: 'hour', buckets: [] },
  by_executor: [],
  by_rule: [],
  scores: { bins: [], threshold: 0.5 },
  months: [],
  index: sampleIndex,
};

const integrity: Integrity = {
  state: 'unchecked',
  verified_to: null,
  checked_at: null,
  since: null,
  lines: 0,
  acts: 0,
  findings: [],
  acknowledged: [],
  progress: null,
};

const byDefault = <T>(value: T) => ({ value, source: { kind: 'default' as const }, key: null, variable: null });
const sampleJudge: JudgeSettings = {
  kind: byDefault('rule-based-v1'),
  threshold: byDefault(0.3),
  threshold_llm: byDefault(0.3),
  daily_calls: byDefault(1000),
  timeout_ms: byDefault(10_000),
  safe_verb_shortcut: byDefault(false),
  structure: byDefault(true),
  model: byDefault(null),
};

const levels: LevelState = {
  default_level: 'Supervised',
  default_timed: null,
  pairings: [],
  frozen: null,
  problem: null,
};

const keptCalls = { days: 30, oldest_ms: 1_793_491_200_000, problem: null };

export function sampleServices(listening: { now: number } = { now: 0 }): Services {
  return {
    ...sampleLineServices(listening),
    agents: {
      list: () => ({ agents: [] }),
      install: () => ({ path: '/a', diff: [], written: false, backup: null, notes: [] }),
      uninstall: () => ({ path: '/a', diff: [], written: false, backup: null, notes: [] }),
      probe: () => ({ at: 1, state: 'absent', detail: '', unasked: null }),
    },
    app: {
      info: () => ({
        version: '0.0.0',
        host: 'browser',
        demo: false,
        home: '/home/user',
        platform: 'linux',
        threshold: 0.5,
        preferences: { language: null, theme: 'system', notifications: true, claude_transcripts: false },
      }),
      health: () => ({ resources: [] }),
      setPreferences: (change) => ({
        language: change.language ?? null,
        theme: change.theme ?? 'system',
        notifications: change.notifications ?? true,
        claude_transcripts: change.claude_transcripts ?? false,
      }),
      settings: () => ({ judge: sampleJudge, config_file: '/home/user/config.yaml', decisions_days: 30 }),
      testJudge: async () => ({ outcome: 'no-model', ms: null, score: null, detail: null }),
      setRetention: ({ decisions_days }) => ({ decisions_days }),
    },
    audit: {
      page: async ({ limit }) => ({
        rows: Array.from({ length: Math.min(limit, 2) }, (_, seq) => ({ ...row, seq })),
        more: false,
        index: sampleIndex,
      }),
      raw: async () => ({ text: '{}', problem: null }),
      live: (_, signal) =>
        openStream<{ rows: never[]; index: IndexState }>(listening)([{ rows: [], index: sampleIndex }], signal),
      stats: async ({ range }) => ({ ...stats, range }),
      counts: async () => ({ rows: [], total: 0 }),
      integrity: async () => integrity,
      verify: async () => integrity,
      acknowledge: async () => integrity,
      acts: async () => ({ rows: [], more: false }),
    },
    grants: {
      list: () => ({ grants: [sampleGrant], problem: null }),
      stale: () => ({ after_days: 90, grants: [{ grant: sampleGrant, unused_since_ms: 1 }], problem: null }),
      preview: ({ target }) => ({
        ...{ since_ms: 0, asked: 3, passed: 1, perhaps: 1, looked_at: 4, cut_at_ms: null, kept: keptCalls },
        newest: [{ id: 1, at: 1_793_491_200_000, executor: 'read_files', target }],
      }),
      record: (asked) => ({ ...sampleGrant, id: 2, target: asked.target }),
      revoke: ({ ids }) => ({ results: ids.map((id) => ({ id, changed: id === 1 })) }),
      restore: ({ id }) => ({ ...sampleGrant, id: id + 1 }),
      changed: (_, signal) => openStream<{ version: number }>(listening)([{ version: 1 }], signal),
    },
    level: {
      state: () => levels,
      preview: ({ scope, to }) => ({
        scope,
        from: 'Supervised',
        to,
        direction: 'raise',
        cells: [],
        grants_live: [],
        confirmation: 'c',
      }),
      set: () => levels,
      freeze: () => levels,
      unfreeze: () => levels,
      history: () => ({ changes: [] }),
      changed: (_, signal) => openStream<LevelState>(listening)([levels], signal),
    },
    turns: sampleTurns((events, signal) => openStream<(typeof events)[number]>(listening)(events, signal)),
    proposals: sampleProposals((events, signal) => openStream<(typeof events)[number]>(listening)(events, signal)),
    policy: {
      matrix: () => ({
        capabilities: [],
        cells: [
          {
            level: 'ReadOnly',
            capability: CAPABILITY_NAMES[0],
            outcome: 'approval_required',
            rule: 'readonly-read',
            grant_ids: [1],
          },
        ],
      }),
      fired: () => ({ cells: [{ level: 'Full', capability: 'fs:read', calls: 3 }], since_ms: 0, kept: keptCalls }),
      calls: () => ({ rows: [], more: false, kept: keptCalls }),
      compare: ({ scope, to }) => ({
        ...{
          scope,
          from: 'Supervised',
          to,
          since_ms: 0,
          kept: keptCalls,
          guard_blocks: 2,
          judge_blocks: 1,
          unclear: 0,
        },
        calls: [{ capability: 'fs:write', was: 'approval_required', would: 'allowed', calls: 4 }],
      }),
    },
  };
}
