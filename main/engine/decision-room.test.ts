import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DecideAnswer, DecideRequest } from '../../shared/domain/decision.ts';
import { LineHome, readNotes } from './line-home.fixture.ts';

const at = new LineHome();

describe('each outcome, in the log, among the kept answers and with its refusal', () => {
  const rows: [string, Partial<DecideRequest>, Partial<DecideAnswer>][] = [
    ['allowed by the table', { executor: 'get_now', args: {} }, { decision: 'allowed', decided_by: 'table' }],
    ['asked', {}, { decision: 'approval_required', stage: 'approval', refusal: null }],
    [
      'denied by the guard',
      { args: { path: '~/.ssh/id_rsa' } },
      { decision: 'denied', stage: 'vaglio', rule: '(^|/)\\.ssh(/|$)' },
    ],
    ['denied for want of a target', { args: {} }, { decision: 'denied', stage: 'scope', rule: 'scope:unknown' }],
    ['denied as unknown', { executor: 'frobnicate' }, { decision: 'denied', stage: 'scope', rule: 'scope:unknown' }],
    [
      'denied by the schema',
      { args_schema: { type: 'object', required: ['encoding'] } },
      { decision: 'denied', stage: 'validation', rule: 'validation:args' },
    ],
    [
      'denied outside of its declared places',
      { capabilities: [{ name: 'fs:read', hints: ['~/Documents/**'] }] },
      { decision: 'denied', stage: 'scope', rule: 'scope:hint' },
    ],
    ['denied as no request', { channel: '' }, { decision: 'denied', stage: 'validation', rule: 'validation:request' }],
  ];
  test.each(rows)('%s', async (_, more, expected) => {
    const answer = await at.decide({ turn_id: 't1', context: { step: 2 }, ...more });
    expect(answer).toMatchObject(expected);
    expect(answer.trail.at(-1)?.stage).toBe(expected.stage ?? 'approval');
    if (answer.decision === 'denied') expect(answer.refusal?.instead).toMatch(/\w/);
    const [line, ...others] = at.logged();
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      approved: answer.verdict?.approved ?? false,
      blocked_by: answer.verdict === null ? answer.stage : answer.verdict.blocked_by,
    });
    expect(JSON.stringify(line)).not.toMatch(/notes\/a\.txt|id_rsa/);
    const [kept] = await at.decisions();
    expect(kept).toMatchObject({ decision: answer.decision, stage: answer.stage, rule: answer.rule });
    expect(kept?.verdict_ts).toBe(line?.ts);
  });

  test('a verdict line carries turn, step and rule after the original columns', async () => {
    await at.decide({ turn_id: 't1', context: { step: 2 }, args: { path: '/etc/shadow' } });
    expect(Object.keys(at.logged()[0] ?? {}).slice(-3)).toEqual(['turn_id', 'step', 'rule']);
    expect(at.logged()[0]).toMatchObject({ turn_id: 't1', step: 2 });
  });

  test('denied by the level, which says the level that would allow it', async () => {
    await at.toLevel('ReadOnly');
    const answer = await at.decide({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    expect(answer).toMatchObject({
      decision: 'denied',
      rule: 'policy:level',
      level: 'ReadOnly',
      needs_level: 'Supervised',
    });
    expect(at.logged()).toMatchObject([{ approved: false, blocked_by: 'policy', rule: 'policy:level' }]);
  });

  test('allowed by a grant, named', async () => {
    const { id } = await at.engine.services.grants.record({
      channel: 'web',
      sender_id: 'anna',
      capability: 'fs:read',
      target: '~/notes/*',
    });
    expect(await at.decide()).toMatchObject({ decision: 'allowed', decided_by: 'grant', grant_id: id });
  });
});

describe('log before answer', () => {
  test('when the log cannot be written the answer stands, and health says so', async () => {
    at.write(at.engine.paths.verdictLog, 'a file where a folder should be');
    expect(await at.decide({ executor: 'get_now', args: {} })).toMatchObject({ decision: 'allowed' });
    const { resources } = await at.engine.services.app.health({});
    expect(resources.find(({ name }) => name === 'verdict-log')?.state).not.toBe('ok');
  });

  test('answers are kept for so many days as are set, and 0 keeps none', async () => {
    await at.decide({ executor: 'get_now', args: {} });
    expect(await at.decisions()).toHaveLength(1);
    const { createPanelStore } = await import('../db/panel-store.ts');
    const { writeSetting } = await import('../db/settings.ts');
    await at.engine.close();
    const panel = createPanelStore(at.engine.paths.panelDb);
    panel.write((db) => writeSetting(db, 'decisions_days', '0'));
    panel.close();
    await at.start();
    await at.decide({ executor: 'get_now', args: {} });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await at.decisions()).toEqual([]);
  });
});

describe('a claim of the request never makes it laxer [security]', () => {
  test('a harmless capability for an executor that writes', async () => {
    const answer = await at.decide({
      executor: 'write_files',
      args: { path: '~/notes/a.txt', content: 'x' },
      capability: 'time:read',
    });
    expect(answer).toMatchObject({ decision: 'approval_required', capability: 'fs:write' });
    expect(answer.trail.find(({ stage }) => stage === 'scope')?.rule).toBe('scope:stricter-counts');
  });

  test('a harmless target beside the one in the args', async () => {
    await at.engine.services.grants.record({
      channel: 'web',
      sender_id: 'anna',
      capability: 'fs:read',
      target: '/srv/open/*',
    });
    const answer = await at.decide({ args: { path: '~/notes/a.txt' }, target: '/srv/open/a' });
    expect(answer).toMatchObject({ decision: 'approval_required', targets: ['~/notes/a.txt', '/srv/open/a'] });
  });

  test('several paths, of which one is not covered', async () => {
    await at.engine.services.grants.record({
      channel: 'web',
      sender_id: 'anna',
      capability: 'fs:read',
      target: '~/notes/*',
    });
    expect(await at.decide({ args: { paths: ['~/notes/a', '~/notes/b'] } })).toMatchObject({ decision: 'allowed' });
    expect(await at.decide({ args: { paths: ['~/notes/a', '~/other/b'] } })).toMatchObject({
      decision: 'approval_required',
    });
  });

  test('a command under another name is judged as a command', async () => {
    await at.toLevel('Full');
    const rm = { command: 'rm -rf /' };
    expect(await at.decide({ executor: 'tidy', args: rm, capability: 'parse:local' })).toMatchObject({
      decision: 'denied',
      stage: 'vaglio',
    });
    expect(await at.decide({ executor: 'tidy', args: { command: 'ls' }, capability: 'parse:local' })).toMatchObject({
      decision: 'approval_required',
      capability: 'code:exec',
    });
  });

  test('a key that a copy would lose is judged too', async () => {
    const args = JSON.parse('{"path": "~/notes/a.txt", "__proto__": {"path": "~/.ssh/id_rsa"}}');
    expect(await at.decide({ args })).toMatchObject({ decision: 'denied', stage: 'vaglio' });
  });
});

describe('trying it out', () => {
  test('shows every stage, with the rule and what matched, and leaves nothing behind', async () => {
    const answer = await at.engine.services.line.try({
      request: readNotes({ executor: 'write_files', args: { path: '~/.ssh/id_rsa', content: 'x' } }),
      supposed: { level: 'ReadOnly' },
    });
    expect(answer).toMatchObject({ decision: 'denied', stage: 'policy', rule: 'policy:level' });
    expect(answer.trail.map(({ stage, outcome, reached }) => [stage, outcome, reached])).toEqual([
      ['validation', 'skipped', true],
      ['scope', 'passed', true],
      ['policy', 'ended', true],
      ['vaglio', 'ended', false],
      ['approval', 'skipped', false],
    ]);
    expect(answer.trail[3]?.matched).toMatchObject({ path: 'path', text: '/.ssh/' });
    expect(await at.engine.services.line.try({ request: readNotes() })).toMatchObject({
      decision: 'approval_required',
    });
    expect(at.logged()).toEqual([]);
    expect(await at.decisions()).toEqual([]);
    expect(await at.cards()).toEqual([]);
  });

  test('many at once, under another level', async () => {
    const text = [readNotes(), readNotes({ executor: 'get_now', args: {} }), { no: 'request' }]
      .map((line) => JSON.stringify(line))
      .join('\n\n');
    const many = await at.engine.services.line.tryMany({ text: `${text}\nno json`, supposed: { level: 'Full' } });
    expect(many).toMatchObject({ total: 4, changed: 1, left_out: 0 });
    expect(
      many.rows.map(({ line, decision, supposed, problem }) => [line, decision, supposed, problem === null]),
    ).toEqual([
      [1, 'approval_required', 'allowed', true],
      [3, 'allowed', 'allowed', true],
      [5, null, null, false],
      [6, null, null, false],
    ]);
    expect(at.logged()).toEqual([]);
  });
});

test('a manifest gives schema, capability and hints; a broken one is skipped', async () => {
  const manifest = (name: string, text: string) =>
    at.write(join(at.home, 'metnos/executors', name, 'manifest.toml'), text);
  manifest(
    'take_notes',
    `name = "take_notes"
[args]
type = "object"
required = ["path"]
[args.properties.path]
type = "string"
[[capabilities]]
name = "fs:write"
hint = ["~/notes/**"]
`,
  );
  manifest('broken', 'name = ');
  await at.restart({ METNOS_INSTALL_ROOT: join(at.home, 'metnos') });
  const take = (args: Record<string, unknown>) => at.decide({ executor: 'take_notes', args });
  expect(await take({ path: '~/notes/a.txt' })).toMatchObject({
    decision: 'approval_required',
    capability: 'fs:write',
  });
  expect(await take({})).toMatchObject({ decision: 'denied', rule: 'validation:args' });
  expect(await take({ path: '~/other/a.txt' })).toMatchObject({ decision: 'denied', rule: 'scope:hint' });
  expect(await at.decide({ executor: 'broken', args: { path: '~/notes/a' } })).toMatchObject({ rule: 'scope:unknown' });
});
