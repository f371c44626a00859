import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { lint, RULES } from './rules.mjs';
import { readSource } from './source.mjs';

type Files = Record<string, string>;

/** Two small projects that differ in one place: the rule reports the first, at that file and line, not the second. */
const rows: { rule: string; at: string; fault: Files; clean: Files }[] = [
  {
    rule: 'house/size',
    at: 'main/a.ts:400',
    fault: { 'main/a.ts': '\n'.repeat(401) },
    clean: { 'main/a.ts': '\n'.repeat(400) },
  },
  ...['main/aB.ts', 'main/a_b.ts', 'main/Policy/a.ts', 'renderer/ui/Button.tsx', 'main/a.Test.ts'].map((path) => ({
    rule: 'house/names',
    at: `${path}:1`,
    fault: { [path]: '' },
    clean: { 'main/db/migrations/0001-a-b.stand-in.ts': '' },
  })),
  {
    rule: 'house/default-export',
    at: 'main/a.ts:2',
    fault: { 'main/a.ts': '\nexport default 1;' },
    clean: { 'main/a.ts': 'export const a = 1;', 'vite.a.config.ts': 'export default {};' },
  },
  ...["export * from './b.ts';", "export { b } from './b.ts';", "export type { B } from './b.ts';"].map((text) => ({
    rule: 'house/barrel',
    at: 'main/a.ts:1',
    fault: { 'main/a.ts': text },
    clean: { 'main/a.ts': "import { b } from './b.ts'; export const c = b;", 'main/audit/index.worker.ts': '' },
  })),
  {
    rule: 'house/barrel',
    at: 'main/db/index.ts:1',
    fault: { 'main/db/index.ts': '' },
    clean: { 'main/db/all.ts': '' },
  },
  ...['../grants/b.ts', '../grants/deep/b.ts', '../../features/grants/b.ts'].map((from) => ({
    rule: 'house/features',
    at: 'renderer/features/live/a.ts:1',
    fault: { 'renderer/features/live/a.ts': `import type { B } from '${from}';` },
    clean: {
      'renderer/features/live/parts/a.ts': "import '../b.ts'; import '../rows/c.ts'; import '../../../ui/d.ts';",
    },
  })),
  {
    rule: 'house/features',
    at: 'renderer/features/live/parts/a.ts:1',
    fault: { 'renderer/features/live/parts/a.ts': "await import('../../grants/b.ts');" },
    clean: { 'renderer/app/a.ts': "await import('../features/grants/b.ts');" },
  },
  {
    rule: 'house/router-type',
    at: 'renderer/rpc/a.ts:1',
    fault: { 'renderer/rpc/a.ts': "import { appRouter } from '../../main/rpc/router.ts';" },
    clean: { 'renderer/rpc/a.ts': "import type { AppRouter } from '../../main/rpc/router.ts';" },
  },
  {
    rule: 'house/router-type',
    at: 'renderer/ui/a.ts:1',
    fault: { 'renderer/ui/a.ts': "import type { AppRouter } from '../../main/rpc/router.ts';" },
    clean: { 'renderer/ui/a.ts': "import type { A } from '../../shared/rpc/all.ts';" },
  },
  {
    rule: 'house/walls',
    at: 'main/rpc/handlers/grants.ts:1',
    fault: { 'main/rpc/handlers/grants.ts': "import { GrantsRepository } from '../../db/grants.ts';" },
    clean: { 'main/rpc/handlers/grants.ts': "import { procedures } from '../procedures.ts';" },
  },
  {
    rule: 'house/walls',
    at: 'main/rpc/transports/loopback-ws.ts:1',
    fault: { 'main/rpc/transports/loopback-ws.ts': "import { x } from '../handlers/grants.ts';" },
    clean: { 'main/rpc/transports/loopback-ws.ts': "import { appRouter } from '../router.ts';" },
  },
  {
    rule: 'house/walls',
    at: 'renderer/ui/a.tsx:1',
    fault: { 'renderer/ui/a.tsx': "import { client } from '../rpc/client.ts';" },
    clean: { 'renderer/ui/a.tsx': "import { b } from './b.tsx';" },
  },
  {
    rule: 'house/walls',
    at: 'main/engine/a.ts:1',
    fault: { 'main/engine/a.ts': "import { ROOT } from '../launch/root.mjs';" },
    clean: { 'main/launch/a.mjs': "import { ROOT } from './root.mjs';" },
  },
  ...[
    "import { readFileSync } from 'node:fs';",
    'export const a = process.env.HOME;',
    'export const a = () => process.cwd();',
    'export const a = () => Date.now();',
    'export const a = () => new Date();',
    'export const a = () => Math.random();',
  ].flatMap((text) =>
    ['main/policy/a.ts', 'main/vaglio/guard-a.ts', 'main/vaglio/shell/a.ts', 'main/constitution/laws.ts'].map(
      (path) => ({
        rule: 'house/pure',
        at: `${path}:1`,
        fault: { [path]: text },
        clean: {
          [path]: "import { domainToASCII } from 'node:url'; export const a = (now: number) => new Date(now);",
          'main/policy/a.test.ts': text,
          'main/vaglio/log.ts': text,
        } as Files,
      }),
    ),
  ),
  {
    rule: 'house/pure',
    at: 'main/vaglio/guard.ts:2',
    fault: {
      'main/vaglio/guard.ts': "import './args.ts';\nimport './near.ts';",
      'main/vaglio/args.ts': '',
      'main/vaglio/near.ts': "import './far.ts';",
      'main/vaglio/far.ts': "import 'node:fs';",
    },
    clean: {
      'main/vaglio/guard.ts': "import './args.ts';\nimport type { Near } from './near.ts';",
      'main/vaglio/args.ts': '',
      'main/vaglio/near.ts': "import 'node:fs';",
    },
  },
  ...[
    'setInterval(() => {}, 5);',
    "const db = openDatabase('a');",
    "export const db = new Database('a');",
    "const worker = new Worker('a');",
    'createServer().listen(0);',
    "if (x) fs.watch('.');",
    'class A { static timer = setTimeout(() => {}, 1); }',
  ].map((text) => ({
    rule: 'house/import-effect',
    at: 'main/audit/a.ts:1',
    fault: { 'main/audit/a.ts': text },
    clean: {
      'main/audit/a.ts': `export function start() { ${text} } export const later = () => { ${text} };`,
      'main/main.ts': text,
    } as Files,
  })),
  {
    rule: 'house/require',
    at: 'main/a.ts:1',
    fault: { 'main/a.ts': "const e = require('electron');" },
    clean: { 'main/a.ts': "const e = 'require'; export const f = x.require('a');" },
  },
  {
    rule: 'house/launch',
    at: 'main/launch/a.mjs:1',
    fault: { 'main/launch/a.mjs': "import { build } from 'vite';" },
    clean: { 'main/launch/a.mjs': "import 'node:fs'; const { build } = await import('vite');" },
  },
  ...['// TODO later', '/* FIXME */', ' * HACK', "const a = '/workspace/x';", '// see issue 12', '// a colleague'].map(
    (text) => ({
      rule: 'house/words',
      at: 'main/a.ts:1',
      fault: { 'main/a.ts': text },
      clean: { 'main/a.ts': "const a = ['rg TODO', '/home/user/work/x', '~/work/a', 'an issue with 2 sides'];" },
    }),
  ),
  {
    rule: 'house/words',
    at: 'README.md:1',
    fault: { 'README.md': '<!-- TODO -->' },
    clean: { 'README.md': 'To do: read.' },
  },
];

const find = (files: Files) =>
  lint(new Map(Object.entries(files).map(([path, text]) => [path, readSource(path, text, parseSync)])));

test.each(rows)('$rule sees $at and not its clean twin', ({ rule, at, fault, clean }) => {
  const seen = find(fault).filter((found) => found.rule === rule);
  expect(new Set(seen.map(({ path, line }) => `${path}:${line}`))).toEqual(new Set([at]));
  expect(find(clean).filter((found) => found.rule === rule)).toEqual([]);
});

test('every house rule has a planted fault', () => {
  expect(new Set(rows.map(({ rule }) => rule))).toEqual(new Set(Object.keys(RULES)));
});
