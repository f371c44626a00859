import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TargetKind } from '../../shared/domain/capability.ts';
import { compileTarget, type MatchWorld, prepareTarget, targetCovers } from '../policy/match.ts';
import { createGrantIndex } from './grant-index.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Everything below `/home/u/out` really lies in `/srv`, and the home folder itself in `/data/u`. */
const world: MatchWorld = {
  home: '/home/u',
  realpath: (path) => path.replace(/^\/home\/u\/out(?=\/|$)/, '/srv').replace(/^\/home\/u(?=\/|$)/, '/data/u'),
};
const plain: MatchWorld = { home: '/home/u', realpath: (path) => path };

const name = fc.constantFrom('a', 'b', 'ab', '.a', 'out', 'docs');
const part = fc.oneof(name, fc.constantFrom('*', '**', 'a*', '*b', '.*', '..', '.', ''));
const start = fc.constantFrom('~', '/home/u', '/srv', '/', '', '~x');
const paths = (names: fc.Arbitrary<string>) =>
  fc.tuple(start, fc.array(names, { maxLength: 4 })).map(([head, rest]) => [head, ...rest].join('/'));
const label = fc.constantFrom('a', 'b', 'A', 'com', 'org', 'ü', '10', '');
const hosts = (lead: string[]) =>
  fc
    .tuple(fc.constantFrom(...lead), fc.array(label, { maxLength: 4 }), fc.constantFrom('', '', ':80', ':8080'))
    .map(([head, labels, port]) => `${head}${labels.join('.')}${port}`);
const texts = fc.constantFrom('*', 'a', 'A', '__proto__', 'constructor', 'inbox@example.com');

const KINDS: [TargetKind, fc.Arbitrary<string>, fc.Arbitrary<string>][] = [
  ['exact', texts, texts],
  ['none', texts, texts],
  ['host', hosts(['', '*.', '*']), hosts(['', '*.'])],
  ['path_glob', paths(part), paths(name)],
];

describe('an index answers as trying every grant does', () => {
  describe.each([
    ['links on the disk', world],
    ['none', plain],
  ])('%s', (_name, on) => {
    test.each(KINDS)('%s', (kind, pattern, target) => {
      const act = fc.record({
        id: fc.integer({ min: 1, max: 12 }),
        target: fc.option(pattern, { nil: null }),
        expires: fc.constantFrom(NEVER, NEVER, 5, 10),
      });
      fc.assert(
        fc.property(
          fc.array(act, { maxLength: 30 }),
          fc.array(target, { minLength: 1, maxLength: 6 }),
          (acts, asked) => {
            const index = createGrantIndex(kind, on);
            const all = new Map<number, { target: string; expires: number }>();
            const check = (): void => {
              for (const one of asked) {
                for (const now of [4, 5, 9, 10]) {
                  const covering = [...all].filter(
                    ([, grant]) =>
                      grant.expires > now &&
                      targetCovers(compileTarget(kind, grant.target, on), prepareTarget(kind, one, on)),
                  );
                  const found = index.find(prepareTarget(kind, one, on), now);
                  if (covering.length === 0) expect(found).toBeNull();
                  else expect(covering.map(([id]) => id)).toContain(found);
                }
              }
            };
            for (const [at, { id, target: granted, expires }] of acts.entries()) {
              if (granted === null) {
                index.drop(id);
                all.delete(id);
              } else {
                index.put(id, granted, expires);
                all.set(id, { target: granted, expires });
              }
              if (at % 7 === 0) check();
            }
            check();
            expect([...index.ids()].sort()).toEqual([...all.keys()].sort());
            expect(index.size).toBe(all.size);
          },
        ),
        { numRuns: 400 },
      );
    });
  });
});

test('a glob is found by its folder: what lies elsewhere is not tried', () => {
  let asked = 0;
  const counted: MatchWorld = {
    home: '/home/u',
    realpath: (path) => {
      asked += 1;
      return path;
    },
  };
  const index = createGrantIndex('path_glob', counted);
  for (let i = 0; i < 10_000; i += 1) index.put(i, `~/folder-${i}/**`, NEVER);
  expect(index.find(prepareTarget('path_glob', '~/folder-77/a/b', counted), 0)).toBe(77);
  expect(asked).toBe(1);
  expect(index.find(prepareTarget('path_glob', '~/elsewhere/a', counted), 0)).toBeNull();
  expect(asked).toBe(1);
});

test('of many grants for one target, those that ran out are not tried one by one', () => {
  let now = 0;
  const index = createGrantIndex('exact', plain);
  for (let i = 1; i <= 5; i += 1) index.put(i, 'a', i === 3 ? 100 : i);
  const find = () => index.find(prepareTarget('exact', 'a', plain), now);
  expect(find()).toBe(3);
  now = 99;
  expect(find()).toBe(3);
  now = 100;
  expect(find()).toBeNull();
  // A clock that was set back.
  now = 4;
  expect(find()).toBe(3);
  index.drop(3);
  expect(find()).toBe(5);
});

test('has tells whether a grant is as it was', () => {
  const index = createGrantIndex('exact', plain);
  index.put(1, 'a', 5);
  expect([index.has(1, 'a', 5), index.has(1, 'b', 5), index.has(1, 'a', NEVER), index.has(2, 'a', 5)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
