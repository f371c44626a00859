import { expect, test } from 'vitest';
import { parseReason, type Reason } from './reason.logic.ts';

test.each<[string, Reason]>([
  [
    "guard: forbidden path violato: pattern '(^|/)\\.ssh(/|$)' in args",
    { kind: 'guard-path', pattern: '(^|/)\\.ssh(/|$)' },
  ],
  ["guard: comando shell quasi-irrecuperabile: '\\bmkfs\\b'", { kind: 'guard-shell', pattern: '\\bmkfs\\b' }],
  ['guard: struttura shell: rm-root', { kind: 'guard-structure', area: 'shell', rule: 'rm-root' }],
  ['guard: struttura path: secret-ssh', { kind: 'guard-structure', area: 'path', rule: 'secret-ssh' }],
  ['guard: args illeggibili: size', { kind: 'guard-unreadable' }],
  ['approved: score 0.70 (score base)', { kind: 'approved', score: 0.7, notes: [] }],
  [
    "approved: score 0.60 (intent menziona 'read'; possibile path traversal ('..' in path))",
    {
      kind: 'approved',
      score: 0.6,
      notes: [
        { kind: 'mentions', token: 'read', effect: 0.1 },
        { kind: 'traversal', effect: -0.2 },
      ],
    },
  ],
  [
    "judge: score 0.20 < soglia 0.30 (chiave args anomala: 'a; b')",
    {
      kind: 'judge-below',
      score: 0.2,
      threshold: 0.3,
      notes: [{ kind: 'odd-key', key: 'a; b', effect: -0.1 }],
    },
  ],
  [
    'approved: score 0.50 (llm-judge fallback (router missing))',
    { kind: 'approved', score: 0.5, notes: [{ kind: 'other', text: 'llm-judge fallback (router missing)' }] },
  ],
  ['safe-verb: read (read-only/pure-compute)', { kind: 'safe-verb', verb: 'read' }],
  ['', { kind: 'other' }],
  ['guard: something new', { kind: 'other' }],
  ['judge: score high < soglia 0.30 (x)', { kind: 'other' }],
])('%s', (text, expected) => {
  expect(parseReason(text)).toEqual(expected);
});
