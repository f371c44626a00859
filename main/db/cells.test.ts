import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CellCount, cellCounts, SLOT_MS } from './cell-counts.ts';
import { fateOf } from './cell-fate.ts';
import { insertDecisions, listCellDecisions, type NewDecision, pruneDecisions } from './decisions.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { openDatabase, type WriteDb } from './open.ts';

const NOW = 1000 * SLOT_MS;
type Stages = NewDecision['stages'];
const policy = (outcome: Stages[number]['outcome'], rule = 'policy:table'): Stages => [
  { stage: 'validation', outcome: 'skipped', rule: 'validation:none' },
  { stage: 'policy', outcome, rule },
];
const person: Stages = [{ stage: 'approval', outcome: 'ended', rule: 'approval:person' }];

function decision(more: Partial<NewDecision> = {}): NewDecision {
  return {
    ...{ at: NOW, channel: 'web', sender_id: 'anna', executor: 'read_files', capability: 'fs:read', target: '~/a' },
    ...{ level: 'Full', decision: 'allowed', stage: 'vaglio', rule: 'line:passed', decided_by: 'table' },
    ...{ stages: policy('passed'), verdict_ts: 1.5, grant_id: null, approval_token: null, turn_id: null },
    ...{ step: null, error: null },
    ...more,
  };
}

const ENDS: [string, Partial<NewDecision>, ReturnType<typeof fateOf>][] = [
  ['allowed by the table', {}, 'passed'],
  ['allowed by a grant', { grant_id: 7, decided_by: 'grant' }, 'lifted'],
  [
    'denied by the level',
    { decision: 'denied', stage: 'policy', rule: 'policy:level', stages: policy('ended') },
    'denied',
  ],
  [
    'denied while frozen',
    { decision: 'denied', stage: 'policy', rule: 'policy:frozen', stages: policy('ended') },
    'denied',
  ],
  ['blocked by the guard', { decision: 'denied', rule: '(^|/)\\.ssh(/|$)', stages: policy('asked') }, 'guard'],
  ['args that the guard cannot read', { decision: 'denied', rule: 'guard:unreadable' }, 'guard'],
  ['blocked by the judge', { decision: 'denied', rule: 'judge:threshold', stages: policy('asked') }, 'judge'],
  ['a fault in the vaglio', { decision: 'denied', rule: 'vaglio:error' }, 'unclear'],
  [
    'asked, nobody waits',
    { decision: 'approval_required', stage: 'approval', rule: 'approval:asked', stages: policy('asked') },
    'asked',
  ],
  [
    'a person said yes',
    { decision: 'approved', stage: 'approval', rule: 'approval:person', stages: policy('asked') },
    'asked',
  ],
  [
    'asked although a grant covered it, for what the guard marked',
    {
      decision: 'rejected',
      stage: 'approval',
      rule: 'approval:person',
      stages: [...policy('passed', 'policy:grant'), ...person],
    },
    'asked',
  ],
  [
    'the guard blocked after a yes',
    { decision: 'denied', stage: 'approval', rule: 'rm -rf', stages: policy('asked') },
    'guard',
  ],
  [
    'the level was lowered while it was asked',
    { decision: 'denied', stage: 'approval', rule: 'policy:level', stages: policy('asked') },
    'asked',
  ],
  [
    'the caller left before it was asked',
    { decision: 'withdrawn', stage: 'approval', rule: 'approval:withdrawn' },
    'unclear',
  ],
  [
    'a rate limit asked',
    { decision: 'approved', stage: 'approval', rule: 'approval:person', stages: policy('asked', 'policy:rate') },
    'unclear',
  ],
  [
    'a fault in the policy',
    { decision: 'denied', stage: 'policy', rule: 'policy:error', stages: policy('ended', 'policy:error') },
    'unclear',
  ],
  [
    'the pairing was revoked',
    { decision: 'denied', stage: 'policy', rule: 'policy:revoked', stages: policy('ended', 'policy:revoked') },
    null,
  ],
  [
    'what came of a card that nobody waited for',
    { decision: 'approved', stage: 'approval', rule: 'approval:person', stages: person },
    null,
  ],
  [
    'ended before the policy',
    { decision: 'denied', stage: 'scope', rule: 'scope:hint', stages: [], level: null },
    null,
  ],
  [
    'a capability of no registry',
    { capability: 'disk:format', decision: 'denied', stage: 'policy', rule: 'policy:unknown' },
    null,
  ],
  ['no capability', { capability: null }, null],
];

test.each(ENDS)('%s', (_, more, fate) => {
  expect(fateOf(decision(more))).toBe(fate);
});

describe('in the file', () => {
  let folder: string;
  let db: WriteDb;
  const file = () => join(folder, 'panel.db');
  const open = (version = MIGRATIONS.length): void => {
    db = openDatabase(file(), { mode: 'write', create: true });
    migrate(db, file(), MIGRATIONS.slice(0, version));
  };
  const counts = (from = 0, limit = 1000): CellCount[] => cellCounts(db, from, null, limit);
  const total = (): number => counts().reduce((sum, { calls }) => sum + calls, 0);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vaglio-cells-'));
  });
  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('answers kept before cells were counted count like those kept since', () => {
    const before = MIGRATIONS.findIndex(({ name }) => name === 'cells');
    const all = ENDS.map(([, more], index) =>
      decision({ at: NOW + (index % 3) * SLOT_MS, sender_id: `s${index % 2}`, ...more }),
    );
    open(before);
    const insert = db.prepare(`INSERT INTO decisions (at, channel, sender_id, executor, capability, target, level,
      decision, stage, rule, decided_by, stages, grant_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    for (const one of all) {
      insert.run(
        ...[one.at, one.channel, one.sender_id, one.executor, one.capability, one.target, one.level, one.decision],
        ...[one.stage, one.rule, one.decided_by, JSON.stringify(one.stages), one.grant_id],
      );
    }
    migrate(db, file());
    const fates = db.prepare('SELECT fate FROM decisions ORDER BY id').pluck().all();
    expect(fates).toEqual(ENDS.map(([, , fate]) => fate));
    const migrated = counts();
    db.exec('DELETE FROM cell_counts');
    insertDecisions(db, all);
    expect(migrated).toEqual(counts());
    expect(total()).toBe(ENDS.filter(([, , fate]) => fate !== null).length);
  });

  test.each(['no json', '7', '{"stage":"policy"}', '["policy", null, 3]'])(
    'stages that read %s keep no file shut',
    (stages) => {
      open(MIGRATIONS.findIndex(({ name }) => name === 'cells'));
      db.prepare(
        `INSERT INTO decisions (at, channel, sender_id, executor, capability, level, decision, stage, rule, decided_by, stages)
       VALUES (1, 'a', 'b', 'c', 'fs:read', 'Full', 'allowed', 'vaglio', 'line:passed', 'table', ?)`,
      ).run(stages);
      migrate(db, file());
      expect(counts()).toEqual([]);
    },
  );

  test('calls of one slot, cell, sender and end add up, over many writes too', () => {
    open();
    insertDecisions(db, [decision(), decision({ at: NOW + 1 }), decision({ at: NOW + SLOT_MS })]);
    insertDecisions(db, [decision(), decision({ sender_id: 'bert' }), decision({ capability: null })]);
    expect(counts().map(({ slot, sender_id, calls }) => [slot, sender_id, calls])).toEqual([
      [1000, 'anna', 3],
      [1000, 'bert', 1],
      [1001, 'anna', 1],
    ]);
    expect(counts(NOW + SLOT_MS).map(({ slot }) => slot)).toEqual([1001]);
  });

  test('parts follow each other without a gap', () => {
    open();
    insertDecisions(
      db,
      Array.from({ length: 7 }, (_, index) => decision({ at: NOW + index * SLOT_MS })),
    );
    const found: CellCount[] = [];
    for (let after: CellCount | null = null; ; after = found.at(-1) ?? null) {
      const part = cellCounts(db, 0, after, 3);
      found.push(...part);
      if (part.length < 3) break;
    }
    expect(found).toEqual(counts());
    expect(found).toHaveLength(7);
  });

  test('what is dropped with its rows leaves the count, a slot at a time', () => {
    open();
    insertDecisions(
      db,
      [0, 1, 2].map((hour) => decision({ at: NOW + hour * SLOT_MS + 10 })),
    );
    pruneDecisions(db, NOW + 1.5 * SLOT_MS, 100);
    expect(counts().map(({ slot }) => slot)).toEqual([1001, 1002]);
    pruneDecisions(db, Number.MAX_SAFE_INTEGER, 100);
    expect(total()).toBe(0);
  });

  test('the last calls of a cell, newest first, by an index and not by a look at all', () => {
    open();
    insertDecisions(db, [
      decision({ target: 'first' }),
      decision({ capability: 'fs:write' }),
      decision({ level: 'Supervised' }),
      decision({ stages: person }),
      decision({ target: 'last' }),
    ]);
    const rows = listCellDecisions(db, { level: 'Full', capability: 'fs:read' }, 10);
    expect(rows.map(({ target }) => target)).toEqual(['last', 'first']);
    const plan = db
      .prepare(
        `EXPLAIN QUERY PLAN SELECT * FROM decisions WHERE level = ? AND capability = ? AND fate IS NOT NULL
         ORDER BY id DESC LIMIT ?`,
      )
      .all('Full', 'fs:read', 10) as { detail: string }[];
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('USING INDEX decisions_cell')]);
  });
});
