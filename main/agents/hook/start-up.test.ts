import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../..');

/** What a module loads when it is loaded; what is imported for its types alone is not. */
function loadedBy(path: string): string[] {
  const found = readFileSync(path, 'utf8').matchAll(/^import (?!type\b)([^;]*?)from '([^']+)';/gms);
  return [...found]
    .filter(([, names = '']) => !/^\{(\s*type [^,}]+,?)+\s*\}/.test(names))
    .map(([, , from = '']) => from);
}

test('the hook loads nothing but what Node brings: it is started for every call', () => {
  const outside = new Set<string>();
  const inside = new Set<string>();
  const walk = (path: string): void => {
    if (inside.has(path)) return;
    inside.add(path);
    for (const from of loadedBy(path)) {
      if (from.startsWith('.')) walk(join(dirname(path), from));
      else outside.add(from);
    }
  };
  walk(join(import.meta.dirname, 'main.ts'));
  expect([...outside].sort()).toEqual(['node:fs', 'node:net', 'node:os', 'node:path', 'node:timers/promises']);
  const rooms = new Set([...inside].map((path) => relative(MAIN, path).split('/')[0]));
  expect([...rooms].sort()).toEqual(['agents', 'engine']);
});
