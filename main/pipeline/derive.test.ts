import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capabilityNamed } from '../policy/registry.ts';
import { derive, TABLE } from './derive.ts';

type Args = Record<string, unknown>;
const needs = (executor: string, args: Args): string[] | null => {
  const { derived } = derive(executor, args);
  return derived === null ? null : derived.needs.map(({ capability, target }) => `${capability} ${target}`);
};

describe('each row of the table', () => {
  /** Args that name a target for every kind. */
  const args: Record<string, Args> = {
    path_glob: { path: '~/a' },
    host: { url: 'https://example.com/x' },
    exact: { command: 'ls', to: 'anna@example.com' },
    none: {},
  };
  const rows = TABLE.flatMap(({ objects, verbs }) =>
    objects.flatMap((object) => Object.entries(verbs).map(([verb, rule]) => ({ executor: `${verb}_${object}`, rule }))),
  );
  test.each(rows)('$executor', ({ executor, rule }) => {
    const kind = capabilityNamed(rule.capability)?.target_kind ?? 'none';
    const { command, ...mail } = args.exact ?? {};
    const given = kind === 'exact' ? (rule.capability === 'code:exec' ? { command } : mail) : args[kind];
    const { derived } = derive(executor, given ?? {});
    expect(derived?.verb).toBe(rule.verb);
    // A mail address makes a message a mail, whatever the row says.
    expect(derived?.needs[0]?.capability).toBe(rule.capability);
    expect(derived?.needs[0]?.target).toEqual(expect.any(String));
  });

  test.each(TABLE.map(({ objects }) => objects[0] as string))('an unknown verb at %s is not derived', (object) => {
    expect(needs(`frobnicate_${object}`, { path: '~/a', url: 'https://a.b', to: 'x' })).toBeNull();
  });
});

describe('targets', () => {
  const rows: [string, Args, string[] | null][] = [
    ['read_files', { paths: ['/a', '~/b'] }, ['fs:read /a', 'fs:read ~/b']],
    ['read_files', { path: '/a', encoding: 'utf-8' }, ['fs:read /a']],
    ['read_files', { entries: [{ path: '/a' }, { path: '/b' }] }, ['fs:read /a', 'fs:read /b']],
    ['read_files', { from_step: 2 }, ['fs:read null']],
    ['find_files', { base_path: '~/Documents', pattern: '*.pdf' }, ['fs:read ~/Documents/**']],
    ['find_files', { glob: '~/Foto/2026/*.jpg' }, ['fs:read ~/Foto/2026/*.jpg']],
    ['move_files', { src: '/a', dst: '/b' }, ['fs:write /a', 'fs:write /b']],
    ['copy_files', { from: '~/x', to: '/b/' }, ['fs:read ~/x', 'fs:write /b/']],
    ['write_files', { path: '/a', content: '/etc is a folder' }, ['fs:write /a']],
    ['write_files', { path: '/a', options: { backup: '~/b' } }, ['fs:write /a', 'fs:write ~/b']],
    ['read_files', { path: '/a', other: '/secret' }, ['fs:read /a', 'fs:read /secret']],
    ['read_urls_html', { url: 'HTTPS://Example.com:8443/a?b' }, ['network:http example.com:8443']],
    ['read_urls_html', { url: 'https://example.com:443/' }, ['network:http example.com']],
    ['get_urls', { urls: ['a.example', 'http://b.example'] }, ['network:http a.example', 'network:http b.example']],
    ['download_urls', { url: 'https://a.b/c', save_to: '~/x' }, ['network:http a.b', 'fs:write ~/x']],
    ['read_events', { from: '2026-12-01' }, ['calendar:read *']],
    ['read_events', { calendar: 'lavoro' }, ['calendar:read lavoro']],
    ['read_messages', { mailbox: 'INBOX' }, ['mail:read INBOX']],
    ['send_messages', { to: ['a@b.c', 'd@e.f'], body: 'x' }, ['mail:send a@b.c', 'mail:send d@e.f']],
    ['send_messages', { to: 'telegram:anna', text: 'x' }, ['channel:out telegram:anna']],
    ['send_messages', { to: 'anna', body: 'x' }, ['mail:send anna']],
    ['shell_exec', { command: ['ls', '-la'] }, ['code:exec ls -la']],
    ['shell_exec', { cmd: 'ls', cwd: '~/x' }, ['code:exec ls']],
    ['get_now', {}, ['time:read *']],
    ['compute_lists', { values: [1] }, ['parse:local *']],
    ['compute_lists', { path: '~/a.csv' }, ['parse:local *', 'fs:read ~/a.csv']],
    ['read_files', { path: '/a', command: 'ls' }, ['fs:read /a', 'code:exec ls']],
    ['anything', { command: 'ls' }, ['code:exec ls']],
    ['compute_lists', { exec: 'ls' }, ['parse:local *', 'code:exec ls']],
    ['read_files', { path: '/a', command_line: 'ls' }, ['fs:read /a', 'code:exec ls']],
    ['get_now', { a: ' /b\n' }, ['time:read *', 'fs:read /b']],
    ['get_files_metadata', { path: '/a' }, ['fs:read /a']],

    // More is done than the first two words say.
    ['read_files_and_delete', { path: '/a' }, null],
    ['find_files_remove', { path: '/a' }, null],
    ['get_time_then_run', {}, null],
    ['compute_lists_exec', {}, null],
    ['read_files', {}, null],
    ['read_files', { path: '' }, null],
    ['read_files', { path: 7 }, null],
    ['read_files', { paths: ['/a', { b: 1 }] }, null],
    ['read_urls', { url: 'file:///etc/hosts' }, null],
    ['read_urls', { url: 'https://' }, null],
    ['shell_exec', {}, null],
    ['shell_exec', { command: '' }, null],
    ['shell_exec', { command: ['ls', 1] }, null],
    ['send_messages', { body: 'x' }, null],
    ['create_events', { title: 'x' }, null],
    ['', {}, null],
    ['_', {}, null],
    ['read_', { path: '/a' }, null],
    ['__proto___files', { path: '/a' }, null],
    ['constructor', {}, null],
    ['read_toString', { path: '/a' }, null],
  ];
  test.each(rows)('%s %j', (executor, args, expected) => {
    expect(needs(executor, args)).toEqual(expected);
  });

  test('a refusal says what is missing', () => {
    expect(derive('read_files', {})).toMatchObject({ derived: null, why: expect.stringContaining('fs:read') });
    expect(derive('read_files', { path: 7 })).toMatchObject({ derived: null, why: expect.stringContaining('"path"') });
    expect(derive('x', {})).toMatchObject({ derived: null, why: expect.stringContaining('"x"') });
  });
});

test('whatever comes, a path that is named is a need, and nothing is thrown', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue());
  const executor = fc.oneof(
    fc.string(),
    fc.constantFrom('read_files', 'write_files', 'move_files', 'read_urls', 'get_now'),
  );
  fc.assert(
    fc.property(executor, json, (name, args) => {
      const { derived } = derive(name, { ...args, path: '/named' });
      if (derived !== null && derived.needs[0]?.capability !== 'code:exec') {
        expect(derived.needs.map(({ target }) => target).join()).toContain('/named');
      }
    }),
  );
});
