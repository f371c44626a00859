import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideRequestSchema } from './decision.ts';
import { readDecideRequest } from './read-request.ts';

const KEYS = Object.keys(decideRequestSchema.shape);
const CONTEXT_KEYS = ['mode', 'step', 'critical', 'capability', 'price', 'cwd', '0', '__proto__', 'constructor'];
const value = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(200), 'x'.repeat(201), 'x'.repeat(500), 'x'.repeat(501), '') },
  { weight: 2, arbitrary: fc.constantFrom(null, undefined, true, false, 0, -1, 86_400, 86_401, 1.5, Infinity, NaN) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...CONTEXT_KEYS), fc.jsonValue({ maxDepth: 1 })) },
  { weight: 1, arbitrary: fc.constantFrom(new Map(), new Date(0), Object.create(null), Object.create({ a: 1 })) },
);
const good = {
  channel: 'web',
  sender_id: 'anna',
  intent: 'read',
  executor: 'read_files',
  args: { path: '/srv/a' },
  context: { step: 1, more: true, mode: 'x' },
};
const changed = fc
  .tuple(fc.dictionary(fc.constantFrom(...KEYS, 'other', '__proto__'), value, { maxKeys: 4 }), fc.boolean())
  .map(([more, isAlone]) => (isAlone ? more : { ...good, ...more }));

test('says of every request what the schema says, and gives the same keys in the same order [property]', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: value }), (request) => {
      const read = readDecideRequest(request);
      const asked = decideRequestSchema.safeParse(request);
      expect(read.success).toBe(asked.success);
      expect(read.data).toEqual(asked.data);
      expect(JSON.stringify(read.data)).toBe(JSON.stringify(asked.data));
      expect(read.error?.issues).toEqual(asked.error?.issues);
      if (read.success) expect(read.data.args).toBe(asked.data?.args);
    }),
    { numRuns: 1000 },
  );
});

test('what is read is a copy that its sender cannot change, but for the args', () => {
  const context: Record<string, unknown> = { step: 1 };
  const request = { ...good, context };
  const read = readDecideRequest(request);
  context.critical = false;
  expect(read.data?.context).toEqual({ step: 1 });
  expect(read.data?.args).toBe(good.args);
});
