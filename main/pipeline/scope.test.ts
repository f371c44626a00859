import { expect, test } from 'vitest';
import type { DecideRequest, DeclaredCapability } from '../../shared/domain/decision.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { scope } from './scope.ts';
import type { Step } from './stage.ts';

const world = { home: '/home/anna', realpath: (path: string) => path.replace('/link/', '/etc/') };

/** Of the texts, one that is harmless by itself. */
const guard = ({ args }: { args: unknown }) =>
  JSON.stringify(args).includes('/etc/shadow') ? { rule: 'r', reason: 'forbidden' } : null;

function run(more: Partial<DecideRequest>, entry: CatalogueEntry | null = null) {
  const request = { channel: 'c', sender_id: 's', intent: '', executor: 'read_files', args: { path: '~/a' }, ...more };
  const step: Step = {
    request,
    entry,
    needs: [],
    verb: 'use',
    level: null,
    capability: null,
    needsLevel: null,
    grantId: null,
    asks: false,
    verdict: null,
    marks: [],
  };
  const { rule, reason, end } = scope(step, { world, guard });
  return {
    rule,
    reason,
    denied: end !== null,
    logged: end?.logged,
    needs: step.needs.map((n) => `${n.capability} ${n.target}`),
  };
}
const declares = (...capabilities: DeclaredCapability[]) => ({ capabilities });
const entry = (
  capabilities: (DeclaredCapability & { when?: { arg: string; values: unknown[] } })[],
): CatalogueEntry => ({
  name: 'x',
  capabilities: capabilities.map((one) => ({ ...one, when: one.when ?? null })),
  schema: null,
});

test.each<[string, Partial<DecideRequest>, string]>([
  [
    'a read-only executor that writes',
    { executor: 'write_files', ...declares({ name: 'fs:read' }) },
    'scope:capability',
  ],
  ['a path outside its hints', declares({ name: 'fs:read', hints: ['~/b/**'] }), 'scope:hint'],
  [
    'a path that only seems inside',
    { args: { path: '~/b/../a' }, ...declares({ name: 'fs:read', hints: ['~/b/**'] }) },
    'scope:hint',
  ],
  [
    'a link that leads outside',
    { args: { path: '/link/x' }, ...declares({ name: 'fs:read', hints: ['/link/*'] }) },
    'scope:hint',
  ],
  [
    'one of several paths outside',
    { args: { paths: ['~/b/x', '~/a'] }, ...declares({ name: 'fs:read', hints: ['~/b/**'] }) },
    'scope:hint',
  ],
  [
    'a host outside its hints',
    {
      executor: 'get_urls',
      args: { url: 'https://evil-example.com' },
      ...declares({ name: 'network:http', hints: ['*.example.com'] }),
    },
    'scope:hint',
  ],
  ['nothing declared at all', declares(), 'scope:capability'],
  ['a claim for which no target is named', { executor: 'x', args: {}, capability: 'mail:send' }, 'scope:no-target'],
])('%s is outside', (_, more, rule) => {
  const result = run(more);
  expect(result).toMatchObject({ denied: true, rule });
  expect(result.reason).toMatch(/^outside allowed scope: |^no target/);
  expect(result.logged).not.toContain('~/');
});

test.each<[string, Partial<DecideRequest>, string[]]>([
  ['a path inside its hints', declares({ name: 'fs:read', hints: ['~/*'] }), ['fs:read ~/a']],
  ['a capability without hints', declares({ name: 'fs:read' }), ['fs:read ~/a']],
  [
    'a host inside',
    {
      executor: 'get_urls',
      args: { url: 'https://a.example.com/x' },
      ...declares({ name: 'network:http', hints: ['*.example.com'] }),
    },
    ['network:http a.example.com'],
  ],
  [
    'a claim for an unknown executor',
    { executor: 'x', args: {}, capability: 'mail:send', target: 'a@b.c' },
    ['mail:send a@b.c'],
  ],
  ['a claim whose target the args name', { executor: 'x', capability: 'fs:write' }, ['fs:write ~/a']],
  ['a claim that needs no target', { executor: 'x', args: {}, capability: 'llm:online' }, ['llm:online *']],
  ['a claim beside what is known', { capability: 'fs:write', target: '~/z' }, ['fs:read ~/a', 'fs:write ~/z']],
  ['a target beside what is known', { target: '~/z' }, ['fs:read ~/a', 'fs:read ~/z']],
  [
    'a claim outside the registry, which the policy denies',
    { executor: 'x', capability: 'fs:delete' },
    ['fs:delete null'],
  ],
])('%s passes', (_, more, needs) => {
  expect(run(more)).toMatchObject({ denied: false, needs });
});

test('the catalogue adds what the name does not tell, under its condition', () => {
  const client = { arg: 'client', values: ['cloud'] };
  const known = entry([{ name: 'fs:read' }, { name: 'network:http', when: client }]);
  expect(run({}, known).needs).toEqual(['fs:read ~/a']);
  expect(run({ args: { path: '~/a', client: 'cloud' } }, known).needs).toEqual(['fs:read ~/a', 'network:http null']);
});

test('with hints, a target that the args do not name is outside of them', () => {
  const known = entry([{ name: 'network:http', hints: ['example.com'] }]);
  expect(run({ executor: 'x', args: {} }, known)).toMatchObject({ denied: true, rule: 'scope:no-target' });
});

test.each<[string, Partial<DecideRequest>]>([
  ['a shell without a command', { executor: 'shell_exec', args: { code: 'rm -r x' }, capability: 'parse:local' }],
  ['a command that is no text', { executor: 'shell_exec', args: { command: [{}] }, capability: 'time:read' }],
  ['a path that is no text', { executor: 'delete_files', args: { paths: [{}] }, capability: 'fs:write', target: '/a' }],
  ['no path at all', { executor: 'delete_files', args: { victim: 'a' }, capability: 'fs:read', target: '/a' }],
  ['nobody to send to', { executor: 'send_messages', args: { body: 'a' }, capability: 'parse:local' }],
])('a claim does not stand in for what the name says: %s [security]', (_, request) => {
  expect(run(request)).toMatchObject({ denied: true, rule: 'scope:unknown' });
});

test('a claim may name the target that the args leave out, for what the name says', () => {
  const request = { executor: 'search_files', args: { text: 'x' }, capability: 'fs:read', target: '~/b/**' };
  expect(run(request)).toMatchObject({ denied: false, needs: ['fs:read ~/b/**'] });
});

test('a claim to be harmless does not hide what the args name [security]', () => {
  const args = { file: '/a', link: 'https://a.example/x' };
  expect(run({ executor: 'deleteFiles', args, capability: 'time:read' }).needs).toEqual([
    'time:read *',
    'fs:read /a',
    'network:http a.example',
  ]);
});

test.each([
  { executor: 'read_files', args: { path: '/link/shadow' } },
  { executor: 'write_files', args: { paths: ['/a', '/link/shadow'] } },
])('a link to what the guard forbids is as forbidden: $executor [security]', (request) => {
  expect(run(request)).toMatchObject({ denied: true, rule: 'r' });
  expect(run({ ...request, args: { path: '/link/motd' } }).denied).toBe(false);
});
