import { describe, expect, test } from 'vitest';
import { createSchemaValidator } from './json-schema.ts';

const { check } = createSchemaValidator();
type Schema = Record<string, unknown>;
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });

describe('what does not fit is listed', () => {
  test.each<[string, Schema, Record<string, unknown>, string[]]>([
    ['nothing', object({ path: { type: 'string' } }), { path: 'x' }, []],
    ['a missing key', object({}, { required: ['path'] }), {}, ["args must have required property 'path'"]],
    [
      'a wrong type',
      object({ a: object({ b: { type: 'integer' } }) }),
      { a: { b: 'x' } },
      ['args.a.b must be integer'],
    ],
    ['a key too many', object({}, { additionalProperties: false }), { b: 1 }, [expect.stringContaining('(b)')]],
    ['a pattern', object({ a: { pattern: '^[a-z]+$' } }), { a: 'A' }, [expect.stringContaining('pattern')]],
    [
      'twins',
      object({ a: { uniqueItems: true } }),
      {
        a: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
      [expect.any(String)],
    ],
    ['no twins', object({ a: { uniqueItems: true } }), { a: [1, '1', [1]] }, []],
    ['inherited names', object({}, { required: ['toString'] }), {}, [expect.stringContaining('toString')]],
    [
      'draft 2020-12',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...object({ a: { prefixItems: [{ type: 'string' }] } }),
      },
      { a: [1] },
      ['args.a.0 must be string'],
    ],
    [
      'words of a manifest',
      { type: 'object', requires_one_of: [['a']], properties: { a: { type: 'string', description: { it: 'x' } } } },
      { a: 'x' },
      [],
    ],
    [
      'a local reference',
      object({ a: { $ref: '#/$defs/text' } }, { $defs: { text: { type: 'string' } } }),
      { a: 1 },
      ['args.a must be string'],
    ],
  ])('%s', (_, schema, args, failures) => {
    expect(check(schema, args)).toEqual({ failures, badSchema: false });
  });

  test('and holds no value', () => {
    const { failures } = check(object({ a: { enum: ['x'] }, b: { const: 1 } }), { a: 'GEHEIM', b: 'GEHEIM' });
    expect(failures).toHaveLength(2);
    expect(failures.join()).not.toContain('GEHEIM');
  });

  test('args are not changed by their check', () => {
    const args = { n: '1' };
    check(object({ n: { type: 'integer', default: 2 }, m: { default: 3 } }), args);
    expect(args).toEqual({ n: '1' });
  });
});

describe('a schema that cannot be used denies', () => {
  /** Each definition twice the next: 2^n nodes from a few lines. */
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `d${n}`,
      { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  );
  const deep = (levels: number): Schema => (levels === 0 ? {} : { items: deep(levels - 1) });
  test.each<[string, Schema]>([
    ['an unknown type', { type: 'strin' }],
    ['another document', { $ref: 'https://example.com/schema' }],
    ['itself', { $ref: '#' }],
    ['itself in a circle', { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } }],
    ['nothing that is there', { $ref: '#/$defs/a' }],
    ['more than can be done', { $ref: '#/$defs/d0', $defs: { ...doubling, d40: {} } }],
    ['an answer that comes later', { $async: true, type: 'object' }],
    ['names inside', { properties: { a: { $id: 'x', type: 'string' } } }],
    ['a dynamic reference', { $dynamicRef: '#a' }],
    ['look-around', { properties: { a: { pattern: '(?=a)b' } } }],
    ['a back-reference', { properties: { a: { pattern: '(a)\\1' } } }],
    ['a pattern too long', { properties: { a: { pattern: 'a'.repeat(2000) } } }],
    ['too many nodes', { enum: Array.from({ length: 20_000 }, (_, n) => n) }],
    ['nesting', deep(500)],
    ['a long text', { description: 'x'.repeat(300_000) }],
    ['nonsense under a word', { required: 'x' }],
  ])('%s', (_, schema) => {
    const { failures, badSchema } = check(schema, { a: 'x' });
    expect(badSchema).toBe(true);
    expect(failures).toHaveLength(1);
  });

  test('a property that is called $ref is a property', () => {
    expect(check(object({ $ref: { type: 'string' } }), { $ref: 'x' })).toEqual({ failures: [], badSchema: false });
  });

  test('patterns run in time linear to the text', () => {
    const { failures } = check(object({ a: { pattern: '^(a+)+$' } }), { a: `${'a'.repeat(100_000)}!` });
    expect(failures).toHaveLength(1);
  });

  test('too many args for a large schema are refused, not tried', () => {
    const schema = object({ a: { items: { enum: Array.from({ length: 5000 }, (_, n) => ({ n })) } } });
    expect(check(schema, { a: Array.from({ length: 10_000 }, () => ({ n: -1 })) }).failures).toEqual([
      expect.stringContaining('too large'),
    ]);
  });

  test('so many schemas that some are forgotten are still right', () => {
    for (let n = 0; n < 500; n += 1) {
      const schema = object({ [`k${n % 250}`]: { type: 'string' } });
      expect(check(schema, { [`k${n % 250}`]: 1 }).failures).toHaveLength(1);
    }
  });
});
