import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DecideAnswer, DecideRequest } from '../../shared/domain/decision.ts';
import type { LevelScope } from '../../shared/domain/level.ts';
import { createEngine, type Engine } from './engine.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const DEFAULT: LevelScope = { kind: 'default' };

let home: string;
let engine: Engine;
let approvals: Engine['services']['approvals'];
let level: Engine['services']['level'];
let now: number;

async function start(env: Record<string, string> = {}): Promise<void> {
  engine = await createEngine({ env, home, clock: () => now, host: 'browser', demo: false, log: () => undefined });
  ({ approvals, level } = engine.services);
}
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-line-'));
  now = NOW;
  await start();
});
afterEach(async () => {
  await engine.close();
  rmSync(home, { recursive: true, force: true });
});

const request = (more: Partial<DecideRequest> = {}): DecideRequest => ({
  channel: 'web',
  sender_id: 'anna',
  intent: 'read the notes',
  executor: 'read_files',
  args: { path: '~/notes/a.txt' },
  ...more,
});
const decide = (more: Partial<DecideRequest> = {}, signal?: AbortSignal) =>
  engine.line.decide(request(more), signal === undefined ? {} : { signal });
function logged(): Record<string, unknown>[] {
  const folder = engine.paths.verdictLog;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}
function write(path: string, text: string): string {
  const file = path.startsWith('~') ? join(home, path.slice(2)) : path;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
async function toLevel(to: 'ReadOnly' | 'Full'): Promise<void> {
  const { confirmation } = await level.preview({ scope: DEFAULT, to });
  await level.set({ scope: DEFAULT, to, confirmation });
}

const cards = async () => (await approvals.list({ status: 'pending' })).cards;
const history = async () => (await approvals.list({ status: 'resolved' })).cards;
const decisions = async () => (await engine.services.line.decisions({ limit: 50 })).rows;
/** Until a card is open; the caller of `decide` waits meanwhile. */
async function cardOpen(): Promise<string> {
  for (;;) {
    const [card] = await cards();
    if (card?.waiting) return card.token;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const code = (expected: string) => expect.objectContaining({ code: expected });
/** What a service throws, be it at once or later. */
const failing = async (work: () => unknown): Promise<unknown> => work();

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
    const answer = await decide({ turn_id: 't1', context: { step: 2 }, ...more });
    expect(answer).toMatchObject(expected);
    expect(answer.trail.at(-1)?.stage).toBe(expected.stage ?? 'approval');
    if (answer.decision === 'denied') expect(answer.refusal?.instead).toMatch(/\w/);
    const [line, ...others] = logged();
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      approved: answer.verdict?.approved ?? false,
      blocked_by: answer.verdict === null ? answer.stage : answer.verdict.blocked_by,
    });
    expect(JSON.stringify(line)).not.toMatch(/notes\/a\.txt|id_rsa/);
    const [kept] = await decisions();
    expect(kept).toMatchObject({ decision: answer.decision, stage: answer.stage, rule: answer.rule });
    expect(kept?.verdict_ts).toBe(line?.ts);
  });

  test('a verdict line carries turn, step and rule after the original columns', async () => {
    await decide({ turn_id: 't1', context: { step: 2 }, args: { path: '/etc/shadow' } });
    expect(Object.keys(logged()[0] ?? {}).slice(-3)).toEqual(['turn_id', 'step', 'rule']);
    expect(logged()[0]).toMatchObject({ turn_id: 't1', step: 2 });
  });

  test('denied by the level, which says the level that would allow it', async () => {
    await toLevel('ReadOnly');
    const answer = await decide({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    expect(answer).toMatchObject({
      decision: 'denied',
      rule: 'policy:level',
      level: 'ReadOnly',
      needs_level: 'Supervised',
    });
    expect(logged()).toMatchObject([{ approved: false, blocked_by: 'policy', rule: 'policy:level' }]);
  });

  test('allowed by a grant, named', async () => {
    const { id } = await engine.services.grants.record({
      channel: 'web',
      sender_id: 'anna',
      capability: 'fs:read',
      target: '~/notes/*',
    });
    expect(await decide()).toMatchObject({ decision: 'allowed', decided_by: 'grant', grant_id: id });
  });
});

describe('log before answer', () => {
  test('when the log cannot be written the answer stands, and health says so', async () => {
    write(engine.paths.verdictLog, 'a file where a folder should be');
    expect(await decide({ executor: 'get_now', args: {} })).toMatchObject({ decision: 'allowed' });
    const { resources } = await engine.services.app.health({});
    expect(resources.find(({ name }) => name === 'verdict-log')?.state).not.toBe('ok');
  });

  test('answers are kept for so many days as are set, and 0 keeps none', async () => {
    await decide({ executor: 'get_now', args: {} });
    expect(await decisions()).toHaveLength(1);
    const { createPanelStore } = await import('../db/panel-store.ts');
    const { writeSetting } = await import('../db/settings.ts');
    await engine.close();
    const panel = createPanelStore(engine.paths.panelDb);
    panel.write((db) => writeSetting(db, 'decisions_days', '0'));
    panel.close();
    await start();
    await decide({ executor: 'get_now', args: {} });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await decisions()).toEqual([]);
  });
});

describe('a claim of the request never makes it laxer [security]', () => {
  test('a harmless capability for an executor that writes', async () => {
    const answer = await decide({
      executor: 'write_files',
      args: { path: '~/notes/a.txt', content: 'x' },
      capability: 'time:read',
    });
    expect(answer).toMatchObject({ decision: 'approval_required', capability: 'fs:write' });
    expect(answer.trail.find(({ stage }) => stage === 'scope')?.rule).toBe('scope:stricter-counts');
  });

  test('a harmless target beside the one in the args', async () => {
    await engine.services.grants.record({
      channel: 'web',
      sender_id: 'anna',
      capability: 'fs:read',
      target: '/srv/open/*',
    });
    const answer = await decide({ args: { path: '~/notes/a.txt' }, target: '/srv/open/a' });
    expect(answer).toMatchObject({ decision: 'approval_required', targets: ['~/notes/a.txt', '/srv/open/a'] });
  });

  test('several paths, of which one is not covered', async () => {
    await engine.services.grants.record({
      channel: 'web',
      sender_id: 'anna',
      capability: 'fs:read',
      target: '~/notes/*',
    });
    expect(await decide({ args: { paths: ['~/notes/a', '~/notes/b'] } })).toMatchObject({ decision: 'allowed' });
    expect(await decide({ args: { paths: ['~/notes/a', '~/other/b'] } })).toMatchObject({
      decision: 'approval_required',
    });
  });

  test('a command under another name is judged as a command', async () => {
    await toLevel('Full');
    const rm = { command: 'rm -rf /' };
    expect(await decide({ executor: 'tidy', args: rm, capability: 'parse:local' })).toMatchObject({
      decision: 'denied',
      stage: 'vaglio',
    });
    expect(await decide({ executor: 'tidy', args: { command: 'ls' }, capability: 'parse:local' })).toMatchObject({
      decision: 'approval_required',
      capability: 'code:exec',
    });
  });

  test('a key that a copy would lose is judged too', async () => {
    const args = JSON.parse('{"path": "~/notes/a.txt", "__proto__": {"path": "~/.ssh/id_rsa"}}');
    expect(await decide({ args })).toMatchObject({ decision: 'denied', stage: 'vaglio' });
  });
});

describe('asked, while the caller waits', () => {
  const waiting = (more: Partial<DecideRequest> = {}, signal?: AbortSignal) => decide({ wait_s: 600, ...more }, signal);

  test('approved once: it may run, and no grant was made', async () => {
    const answer = waiting();
    const token = await cardOpen();
    expect(await approvals.resolve({ token, choice: { kind: 'once' } })).toMatchObject({
      card: { status: 'approved', decided_by: { channel: 'panel', sender_id: 'operator' } },
      grant: null,
    });
    expect(await answer).toMatchObject({ decision: 'approved', decided_by: 'person', rule: 'approval:person' });
    expect((await engine.services.grants.list({})).grants).toEqual([]);
    expect(await decide()).toMatchObject({ decision: 'approval_required' });
  });

  test('rejected, and not asked again in this session', async () => {
    const answer = waiting();
    await approvals.resolve({ token: await cardOpen(), choice: { kind: 'no-session' } });
    expect(await answer).toMatchObject({ decision: 'rejected', refusal: { instead: expect.any(String) } });
    expect(await waiting({ args: { path: '~/notes/b.txt' } })).toMatchObject({
      decision: 'rejected',
      rule: 'approval:session',
    });
    expect(await decide({ args: { path: '~/other/b.txt' } })).toMatchObject({ decision: 'approval_required' });
    const { silences } = await approvals.silenced({});
    expect(silences).toMatchObject([{ target: '~/notes/*', rejected: 1 }]);
    await approvals.unsilence({ id: silences[0]?.id ?? '' });
    expect(await decide({ args: { path: '~/notes/b.txt' } })).toMatchObject({ decision: 'approval_required' });
  });

  test('expired when nobody decides', async () => {
    const answer = waiting();
    const token = await cardOpen();
    now += 10 * 60_000;
    expect(await failing(() => approvals.resolve({ token, choice: { kind: 'once' } })).catch((error) => error)).toEqual(
      code('refused'),
    );
    expect(await answer).toMatchObject({ decision: 'expired', decided_by: 'timeout' });
    expect(await history()).toMatchObject([{ status: 'expired', args_text: null }]);
  });

  test('withdrawn when the caller leaves, and never reported as approved', async () => {
    const caller = new AbortController();
    const answer = waiting({}, caller.signal);
    const token = await cardOpen();
    caller.abort();
    expect(await answer).toMatchObject({ decision: 'withdrawn', decided_by: 'caller' });
    expect(await history()).toMatchObject([{ token, status: 'withdrawn' }]);
    expect(await failing(() => approvals.resolve({ token, choice: { kind: 'once' } })).catch((error) => error)).toEqual(
      code('conflict'),
    );
  });

  test('an approval that comes together with the caller leaving serves nobody', async () => {
    const caller = new AbortController();
    const answer = waiting({}, caller.signal);
    const token = await cardOpen();
    caller.abort();
    await failing(() => approvals.resolve({ token, choice: { kind: 'once' } })).catch(() => undefined);
    expect(await answer).toMatchObject({ decision: 'withdrawn' });
    expect((await engine.line.await(token)).decision).not.toBe('approved');
  });

  test('cancelled by its request id', async () => {
    const answer = waiting({ request_id: 'r1' });
    await cardOpen();
    expect(engine.line.inFlight()).toMatchObject([{ executor: 'read_files', capability: 'fs:read' }]);
    expect(engine.line.cancel('r1')).toBe(true);
    expect(await answer).toMatchObject({ decision: 'withdrawn' });
    expect(engine.line.cancel('r1')).toBe(false);
    expect(engine.line.inFlight()).toEqual([]);
  });

  test('approved, but the level was lowered meanwhile', async () => {
    const answer = waiting({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    const token = await cardOpen();
    await toLevel('ReadOnly');
    expect(
      await failing(() => approvals.resolve({ token, choice: { kind: 'once' } })).catch((error) => error),
    ).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('fs:write is denied at ReadOnly'),
    });
    await approvals.resolve({ token, choice: { kind: 'no' } });
    expect(await answer).toMatchObject({ decision: 'rejected' });
  });

  test('approved, but the file is another one now: asks again', async () => {
    const path = write('~/notes/a.txt', 'as it was shown');
    const answer = waiting();
    const first = await cardOpen();
    expect((await cards())[0]).toMatchObject({ bytes: 15 });
    writeFileSync(path, 'something else');
    await approvals.resolve({ token: first, choice: { kind: 'once' } });
    const second = await cardOpen();
    expect(second).not.toBe(first);
    await approvals.resolve({ token: second, choice: { kind: 'once' } });
    expect(await answer).toMatchObject({ decision: 'approved' });
  });

  test('freeze denies what is denied at ReadOnly and lets the rest wait', async () => {
    const writing = waiting({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    await cardOpen();
    const reading = waiting();
    while ((await cards()).filter((card) => card.waiting).length < 2)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const { frozen } = await level.freeze({});
    expect(await writing).toMatchObject({ decision: 'denied', rule: 'policy:frozen' });
    expect(frozen?.requests.map(({ capability, fate }) => [capability, fate])).toEqual([
      ['fs:write', 'denied'],
      ['fs:read', 'still-asks'],
    ]);
    expect(await decide({ executor: 'write_files', args: { path: '~/a', content: '' } })).toMatchObject({
      decision: 'denied',
      rule: 'policy:frozen',
      reason: expect.stringContaining('frozen'),
    });
    await approvals.resolve({ token: (await cards())[0]?.token ?? '', choice: { kind: 'once' } });
    expect(await reading).toMatchObject({ decision: 'approved' });
  });
});

describe('asked, and the caller comes back for it', () => {
  test('an approval is given once', async () => {
    const { approval } = await decide();
    const token = approval?.token ?? '';
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(await engine.line.await(token)).toMatchObject({ decision: 'approval_required', approval: { token } });
    await approvals.resolve({ token, choice: { kind: 'once' } });
    expect(await engine.line.await(token)).toMatchObject({ decision: 'approved' });
    expect(await engine.line.await(token)).toMatchObject({ decision: 'denied', rule: 'approval:used' });
  });

  test('the guard and the level are asked again', async () => {
    const { approval } = await decide({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    const token = approval?.token ?? '';
    await approvals.resolve({ token, choice: { kind: 'once' } });
    await toLevel('ReadOnly');
    expect(await engine.line.await(token)).toMatchObject({ decision: 'denied', rule: 'policy:level' });
  });

  test('also after the engine was started anew', async () => {
    const { approval } = await decide();
    const token = approval?.token ?? '';
    await approvals.resolve({ token, choice: { kind: 'once' } });
    await engine.close();
    await start();
    expect(await engine.line.await(token)).toMatchObject({ decision: 'approved', capability: 'fs:read' });
  });

  test('an unknown token is denied', async () => {
    expect(await engine.line.await('0'.repeat(32))).toMatchObject({ decision: 'denied', rule: 'approval:unknown' });
  });

  test('leaving the wait leaves the card', async () => {
    const { approval } = await decide();
    const token = approval?.token ?? '';
    const caller = new AbortController();
    const answer = engine.line.await(token, { wait_s: 60, signal: caller.signal });
    await cardOpen();
    caller.abort();
    expect(await answer).toMatchObject({ decision: 'approval_required' });
    expect(await cards()).toHaveLength(1);
    expect(engine.line.cancel(token)).toBe(true);
    expect(await engine.line.await(token)).toMatchObject({ decision: 'withdrawn' });
  });
});

describe('this and similar', () => {
  const invoice = { executor: 'write_files', args: { path: '~/Documents/fatture-2026/04-Acme.pdf', content: 'x' } };
  const similar = (target: string, expires_at: string | null = null) => ({
    kind: 'similar' as const,
    target,
    expires_at,
  });

  test('proposes the files beside it; edited and bound in time, the next one passes without a card', async () => {
    const { approval } = await decide(invoice);
    const [card] = await cards();
    expect(card?.similar).toEqual({ capability: 'fs:write', target: '~/Documents/fatture-2026/*' });
    const token = approval?.token ?? '';
    const { grant } = await approvals.resolve({
      token,
      choice: similar('~/Documents/fatture-2026/*.pdf', '2027-01-30T00:00:00Z'),
    });
    expect(grant).toMatchObject({ target: '~/Documents/fatture-2026/*.pdf', expires_at: '2027-01-30T00:00:00Z' });
    expect(await engine.line.await(token)).toMatchObject({ decision: 'approved' });
    const next = { ...invoice, args: { path: '~/Documents/fatture-2026/05-Beta.pdf', content: 'x' } };
    expect(await decide(next)).toMatchObject({ decision: 'allowed', grant_id: grant?.id });
    now = Date.UTC(2027, 0, 30);
    expect(await decide(next)).toMatchObject({ decision: 'approval_required' });
  });

  test.each([
    ['that does not cover this very target', '~/Documents/altro/*', 'refused'],
    ['that reaches a forbidden path', '~/**/.ssh/*', 'refused'],
    ['as wide as the home folder', '~/**', 'confirmation-needed'],
    ['that is no path', 'Documents/*', 'bad-input'],
  ])('a pattern %s is refused, and nothing changes', async (_, target, expected) => {
    const { approval } = await decide(invoice);
    const token = approval?.token ?? '';
    const check = await approvals.checkSimilar({ token, target, expires_at: null });
    expect(check).toMatchObject({ ok: false, needs_confirmation: expected === 'confirmation-needed' });
    await expect(failing(() => approvals.resolve({ token, choice: similar(target) }))).rejects.toEqual(code(expected));
    expect(await cards()).toHaveLength(1);
    expect((await engine.services.grants.list({})).grants).toEqual([]);
  });

  test('is never offered for what always asks', async () => {
    const mail = { executor: 'send_messages', args: { to: 'nonna@example.com', subject: 'foto', body: '...' } };
    const { approval, capability } = await decide(mail);
    expect(capability).toBe('mail:send');
    expect((await cards())[0]?.similar).toBeNull();
    const choice = similar('nonna@example.com');
    await expect(failing(() => approvals.resolve({ token: approval?.token ?? '', choice }))).rejects.toEqual(
      code('refused'),
    );
    expect((await engine.services.grants.list({})).grants).toEqual([]);
  });
});

describe('trying it out', () => {
  test('shows every stage, with the rule and what matched, and leaves nothing behind', async () => {
    const answer = await engine.services.line.try({
      request: request({ executor: 'write_files', args: { path: '~/.ssh/id_rsa', content: 'x' } }),
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
    expect(await engine.services.line.try({ request: request() })).toMatchObject({ decision: 'approval_required' });
    expect(logged()).toEqual([]);
    expect(await decisions()).toEqual([]);
    expect(await cards()).toEqual([]);
  });

  test('many at once, under another level', async () => {
    const text = [request(), request({ executor: 'get_now', args: {} }), { no: 'request' }]
      .map((line) => JSON.stringify(line))
      .join('\n\n');
    const many = await engine.services.line.tryMany({ text: `${text}\nno json`, supposed: { level: 'Full' } });
    expect(many).toMatchObject({ total: 4, changed: 1, left_out: 0 });
    expect(
      many.rows.map(({ line, decision, supposed, problem }) => [line, decision, supposed, problem === null]),
    ).toEqual([
      [1, 'approval_required', 'allowed', true],
      [3, 'allowed', 'allowed', true],
      [5, null, null, false],
      [6, null, null, false],
    ]);
    expect(logged()).toEqual([]);
  });
});

test('a manifest gives schema, capability and hints; a broken one is skipped', async () => {
  await engine.close();
  const manifest = (name: string, text: string) => write(join(home, 'metnos/executors', name, 'manifest.toml'), text);
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
  await start({ METNOS_INSTALL_ROOT: join(home, 'metnos') });
  const take = (args: Record<string, unknown>) => decide({ executor: 'take_notes', args });
  expect(await take({ path: '~/notes/a.txt' })).toMatchObject({
    decision: 'approval_required',
    capability: 'fs:write',
  });
  expect(await take({})).toMatchObject({ decision: 'denied', rule: 'validation:args' });
  expect(await take({ path: '~/other/a.txt' })).toMatchObject({ decision: 'denied', rule: 'scope:hint' });
  expect(await decide({ executor: 'broken', args: { path: '~/notes/a' } })).toMatchObject({ rule: 'scope:unknown' });
});
