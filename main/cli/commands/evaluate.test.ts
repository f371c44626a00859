import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { VaglioResult } from '../../../shared/domain/constitution.ts';
import { createApprovalsRepository } from '../../db/approvals.ts';
import { createGrantsRepository } from '../../db/grants.ts';
import { resolvePaths } from '../../engine/paths.ts';
import { formatInstant } from '../../policy/dates.ts';
import { closesTheSocket, type ModelServer, says, startModelServer } from '../../vaglio/model-server.stand-in.ts';
import { runCommand } from '../cli.stand-in.ts';

vi.setConfig({ testTimeout: 60_000 });

const NOW = Date.UTC(2026, 10, 30, 12);
const TELOS = ['health', 'family', 'work']
  .map((name) => `## t.${name} — ${name}\n- weight: 1\n- activation_threshold: 0.3\n`)
  .join('\n');
const IDEA = {
  ...{ kind: 'remind', reversibility: 'reversible', scope: 'this week' },
  ...{ impact: 'one message', plan: 'send it', rationale: 'the doctor asked' },
};

let home: string;
let server: ModelServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-evaluate-'));
  server = await startModelServer();
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const paths = () => resolvePaths({}, home);
function judging(config = ''): void {
  put(paths().telosFile, TELOS);
  const role = `llm_roles: { judge: { provider: local, model: m, tier: small, base_url: "${server.url}" } }`;
  put(paths().configFile, `${role}\n${config}`);
}
const fits = (fit: number) => {
  const each = ['health', 'family', 'work'].map((name) => ({ telos_id: `t.${name}`, fit, why: `for ${name}` }));
  return says(JSON.stringify({ fits: each, confidence: 1 }));
};

async function evaluate(action: unknown, flow: string, ...more: string[]) {
  const input = typeof action === 'string' ? action : JSON.stringify(action);
  const ran = await runCommand(['evaluate', '--flow', flow, ...more], { home, clock: () => NOW, input });
  return { ...ran, result: ran.out.length === 0 ? null : (JSON.parse(ran.out[0] ?? '') as VaglioResult) };
}

describe('each law, contradicted and not', () => {
  const sees = { ...IDEA, capability: 'mail:send' };
  test.each<[string, string, object, object]>([
    [
      'law.0.perimetro',
      'reactive',
      { kind: 'read_files', targets: ['~/.ssh/id'] },
      { kind: 'read_files', targets: ['~/notes'] },
    ],
    [
      'law.1.non_nocivita',
      'proactive',
      { ...sees, reversibility: 'irreversible' },
      { ...sees, reversibility: 'partial' },
    ],
    [
      'law.2.obbedienza',
      'reactive',
      { kind: 'x', args: { grant_id: 1 } },
      { kind: 'x', args: { autonomy_level: 'ReadOnly' } },
    ],
    ['law.3.tracciabilita', 'proactive', { ...IDEA, plan: '' }, IDEA],
  ])('%s', async (id, flow, contradicting, passing) => {
    const blocked = await evaluate(contradicting, flow);
    expect(blocked).toMatchObject({ exit: 1, err: [], result: { final_decision: 'block', judge: null } });
    expect(blocked.result?.guard).toMatchObject({ passes: false, contradicted_article: id });
    expect(blocked.result?.guard.reason).not.toBe('');
    expect((await evaluate(passing, flow)).result?.guard).toEqual({
      passes: true,
      contradicted_article: null,
      reason: '',
    });
  });
});

test('the same harm in other words is law 1, unless the structural layer is switched off', async () => {
  const action = { kind: 'shell_exec', args: { command: 'find / -delete' } };
  expect((await evaluate(action, 'reactive')).result?.guard).toMatchObject({
    contradicted_article: 'law.1.non_nocivita',
    reason: expect.stringMatching(/^guard: struttura shell: /),
  });
  put(paths().configFile, 'vaglio: { structure: off }\n');
  expect((await evaluate(action, 'reactive')).result?.final_decision).toBe('allow');
});

test('an action that claims what exists passes', async () => {
  const grants = createGrantsRepository(paths().grantsDb);
  const terms = { channel: 'web', sender_id: 'anna', capability: 'fs:read', target: '~/notes/*' };
  const { id } = grants.record({ ...terms, granted_at: '2026-11-01T00:00:00Z', expires_at: null, granted_by: 'me' });
  grants.close();
  const approvals = createApprovalsRepository(paths().approvalsDb);
  const at = formatInstant(NOW);
  const row = {
    ...{ token: 't1', channel: 'web', sender_id: 'anna' },
    ...{ capability_class: 'fs:read', action_verb: 'read' },
  };
  approvals.add({
    ...row,
    target_summary: 'x',
    created_at: at,
    expires_at: formatInstant(NOW + 60_000),
    request_extra: null,
  });
  const claims = { kind: 'read_files', capability: 'fs:read', channel: 'web', sender_id: 'anna' };
  const decision = async (action: object) => (await evaluate(action, 'reactive')).result?.final_decision;
  expect(await decision({ ...claims, args: { grant_id: id } })).toBe('allow');
  expect(await decision({ ...claims, sender_id: 'bruno', args: { grant_id: id } })).toBe('block');
  expect(await decision({ ...claims, capability: 'fs:write', args: { grant_id: id } })).toBe('block');
  expect(await decision({ ...claims, args: { approval: 't1' } })).toBe('block');
  const by = { channel: 'panel', sender_id: 'operator' };
  approvals.resolve({ token: 't1', status: 'approved', at, by }, NOW);
  approvals.close();
  expect(await decision({ ...claims, args: { approval: 't1' } })).toBe('allow');
});

test('what the executor declares is read from its manifest', async () => {
  const root = join(home, 'metnos');
  const manifest = 'name = "read_notes"\n[[capabilities]]\nname = "fs:read"\nhint = "~/notes/**"\n';
  put(join(root, 'executors/read_notes/manifest.toml'), manifest);
  const run = async (target: string) => {
    const input = JSON.stringify({ kind: 'read_notes', capability: 'fs:read', targets: [target] });
    const env = { METNOS_INSTALL_ROOT: root };
    const { out } = await runCommand(['evaluate', '--flow', 'reactive'], { home, env, clock: () => NOW, input });
    return (JSON.parse(out[0] ?? '') as VaglioResult).guard;
  };
  expect(await run('~/notes/a.md')).toMatchObject({ passes: true });
  expect(await run('~/mail/a.md')).toMatchObject({ contradicted_article: 'law.0.perimetro' });
});

describe('with a model behind a loopback server', () => {
  test.each([
    [0.3, 'publish', 0],
    [0.29, 'reject', 1],
  ])('a fit of %d: %s, exit %d', async (fit, final_decision, exit) => {
    judging();
    server.play = fits(fit);
    expect(await evaluate(IDEA, 'proactive')).toMatchObject({
      exit,
      err: [],
      result: {
        final_decision,
        llm_config_used: { provider: 'local', model: 'm', tier: 'small' },
        at: '2026-11-30T12:00:00.000Z',
      },
    });
    expect(server.heard).toHaveLength(1);
  });

  test('θ and the bother budget are the person’s: the second of a day is put off, exit 3', async () => {
    judging('vaglio: { theta: 0.5, bother: { base: 0.2, daily_quota: 1 } }\n');
    server.play = fits(0.6);
    expect((await evaluate(IDEA, 'proactive')).result?.final_decision).toBe('publish');
    const second = await evaluate(IDEA, 'proactive');
    expect(second).toMatchObject({
      exit: 3,
      result: { final_decision: 'defer', judge: { bother_cost: 0.2, threshold_used: 0.5 } },
    });
  });

  test('the urgency counts, and is clamped', async () => {
    judging();
    server.play = fits(0.3);
    expect((await evaluate(IDEA, 'proactive', '--urgency', '0.5')).result?.final_decision).toBe('reject');
    const { result } = await evaluate(IDEA, 'proactive', '--urgency', '99');
    expect(result).toMatchObject({ final_decision: 'publish', urgency: { given: 99, used: 2 } });
  });

  test('a model that is off puts off, and a user’s own wish is not affected', async () => {
    judging();
    server.play = closesTheSocket;
    expect(await evaluate(IDEA, 'proactive')).toMatchObject({ exit: 3, result: { final_decision: 'defer' } });
    expect(await evaluate(IDEA, 'reactive')).toMatchObject({ exit: 0, result: { final_decision: 'allow' } });
  });

  test('the calls of a day have a ceiling', async () => {
    judging('vaglio: { judge: { daily_calls: 1 } }\n');
    server.play = fits(0.9);
    expect((await evaluate(IDEA, 'proactive')).result?.final_decision).toBe('publish');
    expect((await evaluate(IDEA, 'proactive')).result?.reason).toContain("the day's calls to the model are spent");
    expect(server.heard).toHaveLength(1);
  });
});

test('without ends a proposal is rejected', async () => {
  expect(await evaluate(IDEA, 'proactive')).toMatchObject({
    exit: 1,
    result: { final_decision: 'reject', reason: 'no telos' },
  });
});

describe('what cannot be weighed is exit 2, with the field', () => {
  test.each<[string, unknown, string[], RegExp]>([
    ['no JSON', '{', ['--flow', 'reactive'], /no JSON\b/],
    ['a list', '[]', ['--flow', 'reactive'], /no JSON object/],
    ['no kind', {}, ['--flow', 'reactive'], /kind/],
    ['no reversibility', { kind: 'x' }, ['--flow', 'proactive'], /reversibility/],
    ['no flow', IDEA, [], /--flow/],
    ['another flow', IDEA, ['--flow', 'sideways'], /sideways/],
    ['an urgency in words', IDEA, ['--flow', 'reactive', '--urgency', 'high'], /--urgency/],
  ])('%s', async (_, action, args, message) => {
    const input = typeof action === 'string' ? action : JSON.stringify(action);
    const ran = await runCommand(['evaluate', ...args], { home, clock: () => NOW, input });
    expect(ran).toMatchObject({ exit: 2, out: [] });
    expect(ran.err.join('\n')).toMatch(message);
  });

  test('a shared provider where the roles are to be separate, naming both lines', async () => {
    const roles =
      'llm_roles:\n  proposer:\n    provider: openai\n  judge:\n    provider: openai\n    model: m\n    separation_level: provider\n';
    put(paths().configFile, roles);
    const { exit, err } = await evaluate(IDEA, 'reactive');
    expect(exit).toBe(2);
    expect(err.join('\n')).toMatch(/line 5: .*line 3/);
  });
});
