import { mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realPath } from './real-path.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vaglio-real-')));
  mkdirSync(join(root, 'docs/sub'), { recursive: true });
  mkdirSync(join(root, 'secret/deep'), { recursive: true });
  writeFileSync(join(root, 'docs/file'), '');
  symlinkSync('../secret/deep', join(root, 'docs/link'));
  symlinkSync(join(root, 'secret/new'), join(root, 'docs/dangling'));
  symlinkSync('../secret/none/x', join(root, 'docs/far'));
  symlinkSync('dangling', join(root, 'docs/chain'));
  symlinkSync('loop', join(root, 'docs/loop'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ['docs/file', 'docs/file'],
  ['docs/new', 'docs/new'],
  ['docs/new/er/est', 'docs/new/er/est'],
  ['docs/link', 'secret/deep'],
  ['docs/link/new', 'secret/deep/new'],
  ['docs/link/../new', 'secret/new'],
  ['docs/none/../new', 'docs/new'],
  ['docs/none/../../secret', 'secret'],
  ['docs//sub/./new/', 'docs/sub/new'],
  // Written through, these make a file where they lead.
  ['docs/dangling', 'secret/new'],
  ['docs/dangling/a', 'secret/new/a'],
  ['docs/chain', 'secret/new'],
  ['docs/far', 'secret/none/x'],
  // A file is no folder: what is below it is not there.
  ['docs/file/x', 'docs/file/x'],
])('%s is %s', (path, expected) => {
  expect(realPath(`${root}/${path}`)).toBe(join(root, expected));
});

test('a look at what is not there does not change the next answer', () => {
  for (const [path, expected] of [
    ['none/at/all', 'none/at/all'],
    ['docs/link/new', 'secret/deep/new'],
    ['none/at/all', 'none/at/all'],
    ['docs/dangling', 'secret/new'],
  ] as const) {
    expect(realPath(`${root}/${path}`)).toBe(join(root, expected));
  }
});

/** The definition, one name after the other, without any short cut. */
function byDefinition(path: string): string {
  let at = '/';
  const ahead = path.split('/').reverse();
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (name === '..') at = dirname(at);
    if (name === '' || name === '.' || name === '..') continue;
    const here = join(at, name);
    try {
      const to = readlinkSync(here);
      if (to.startsWith('/')) at = '/';
      ahead.push(...to.split('/').reverse());
    } catch {
      at = here;
    }
  }
  return at;
}

test('the short ways answer as the definition does', () => {
  const names = [
    'docs',
    'sub',
    'secret',
    'deep',
    'link',
    'dangling',
    'far',
    'chain',
    'file',
    'none',
    'new',
    '..',
    '.',
    '',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names), { maxLength: 7 }), (picked) => {
      const path = `${root}/${picked.join('/')}`;
      expect(realPath(path)).toBe(byDefinition(path));
    }),
    { numRuns: 2000 },
  );
});

test('the root, and above it', () => {
  expect(realPath('/')).toBe('/');
  expect(realPath('/..')).toBe('/');
});

test('a question without an answer is an error', () => {
  expect(() => realPath(join(root, 'docs/loop'))).toThrow(/ELOOP/);
  expect(() => realPath(`/${'a/'.repeat(100_000)}`)).toThrow(/ENAMETOOLONG/);
});
