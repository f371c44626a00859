import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCatalogue } from './catalogue.ts';

let folder: string;
let now: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-catalogue-'));
  now = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const manifest = (name: string, text: string): void => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'manifest.toml'), text);
};
const GOOD = `name = "a"
[args]
type = "object"
[[capabilities]]
name = "fs:read"
hint = ["~/notes/**", "/tmp/**"]
[[capabilities]]
name = "provider:access"
hint = "cloud"
when = { arg = "client", values = ["cloud"] }
`;
const open = () => createCatalogue(folder, () => now);

test('a manifest gives capabilities, hints, conditions and schema', () => {
  manifest('a', GOOD);
  expect(open().find('a')).toEqual({
    name: 'a',
    capabilities: [
      { name: 'fs:read', hints: ['~/notes/**', '/tmp/**'], when: null },
      { name: 'provider:access', hints: ['cloud'], when: { arg: 'client', values: ['cloud'] } },
    ],
    schema: { type: 'object' },
  });
  expect(open().find('b')).toBeNull();
  expect(createCatalogue(null).find('a')).toBeNull();
});

test.each([
  ['no TOML', 'name = ', 'line 1'],
  ['another name', 'name = "b"', 'not a'],
  ['no name for a capability', `name = "a"\n[[capabilities]]\nhint = []`, 'capability 1'],
  ['hints that are no texts', `name = "a"\n[[capabilities]]\nname = "fs:read"\nhint = [1]`, 'fs:read'],
  ['a schema that is none', `name = "a"\nargs = 1`, 'args'],
])('%s is reported and skipped', (_, text, why) => {
  manifest('a', text);
  manifest('good', GOOD.replace('"a"', '"good"'));
  const catalogue = open();
  expect(catalogue.find('a')).toBeNull();
  expect(catalogue.check()).toEqual({
    folder,
    found: 1,
    faults: [{ path: join(folder, 'a/manifest.toml'), why: expect.stringContaining(why) }],
  });
});

test('a folder that is not there is reported', () => {
  rmSync(folder, { recursive: true });
  expect(open().check().faults).toHaveLength(1);
});

test('an executor cannot name a file outside of the folder', () => {
  manifest('a', GOOD);
  for (const name of ['../a', 'a/../a', '.', '..', '', 'a\0']) expect(open().find(name), name).toBeNull();
});

test('a manifest that changed counts, a second later at the latest', () => {
  const catalogue = open();
  expect(catalogue.find('a')).toBeNull();
  manifest('a', GOOD);
  now = 1000;
  expect(catalogue.find('a')?.capabilities).toHaveLength(2);
  manifest('a', 'name = "a"');
  now = 2000;
  expect(catalogue.find('a')?.capabilities).toEqual([]);
});
