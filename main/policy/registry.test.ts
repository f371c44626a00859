import { expect, test } from 'vitest';
import { CAPABILITY_NAMES, capabilitySchema } from '../../shared/domain/capability.ts';
import { capabilityNamed, REGISTRY } from './registry.ts';

test('registry_contiene_13_capability_canoniche', () => {
  expect(REGISTRY.map(({ name }) => name)).toEqual(CAPABILITY_NAMES);
  expect(REGISTRY).toHaveLength(13);
  const by = (key: 'default_approval' | 'target_kind', value: string) =>
    REGISTRY.filter((one) => one[key] === value).map(({ name }) => name);
  expect(REGISTRY.filter(({ critical }) => critical).map(({ name }) => name)).toEqual([
    'fs:write',
    'code:exec',
    'mail:send',
  ]);
  expect(by('default_approval', 'always')).toEqual(['code:exec', 'mail:send']);
  expect(by('default_approval', 'none')).toEqual(['llm:local', 'channel:in', 'time:read', 'parse:local']);
  expect(by('target_kind', 'path_glob')).toEqual(['fs:read', 'fs:write']);
  expect(by('target_kind', 'host')).toEqual(['network:http']);
  expect(by('target_kind', 'none')).toEqual(['llm:local', 'llm:online', 'time:read', 'parse:local']);
});

test('each entry has the shape and the key order of the command line', () => {
  for (const one of REGISTRY) {
    expect(capabilitySchema.parse(one)).toEqual(one);
    expect(Object.keys(one)).toEqual(['name', 'critical', 'default_approval', 'target_kind', 'description']);
  }
});

test('the registry is closed [security]', () => {
  const list = REGISTRY as unknown as { name: string }[];
  expect(() => list.push({ name: 'fs:delete' })).toThrow(TypeError);
  expect(() => {
    (list[2] as { default_approval?: string }).default_approval = 'none';
  }).toThrow(TypeError);
  for (const name of ['fs:delete', 'FS:READ', '', '__proto__', 'constructor', 'toString']) {
    expect(capabilityNamed(name)).toBeNull();
  }
});
