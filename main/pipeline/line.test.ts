import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { DECISIONS, decideAnswerSchema, type Stage } from '../../shared/domain/decision.ts';
import { mayRun } from './answer.ts';
import { approvedBy, surroundings } from './line.stand-in.ts';
import { createLine, type LineDeps } from './line.ts';

const REQUEST = { channel: 'web', sender_id: 'anna', intent: 'read', executor: 'read_files', args: { path: '/srv/a' } };
const NOW = { ...REQUEST, executor: 'get_now', args: {} };
const fail = (): never => {
  throw new Error('broken inside');
};

describe('a fault anywhere denies, and says where [security]', () => {
  const rows: [string, Stage, Partial<LineDeps>][] = [
    ['the catalogue', 'validation', { catalogue: { find: fail } }],
    ['the library for schemas', 'validation', { validator: fail }],
    ['the library for schemas, later', 'validation', { validator: async () => fail() }],
    ['the level', 'policy', { levelOf: fail }],
    ['the policy', 'policy', { decide: fail }],
    ['the judge', 'vaglio', { evaluate: fail }],
    ['the judge, later', 'vaglio', { evaluate: async () => fail() }],
    ['a judge that answers nonsense', 'vaglio', { evaluate: () => ({}) as never }],
  ];
  test.each(rows)('in %s', async (_, stage, more) => {
    const deps = surroundings(more);
    const answer = await createLine(deps).decide({ ...NOW, args_schema: { type: 'object' } });
    expect(answer).toMatchObject({ decision: 'denied', stage, decided_by: 'error', rule: `${stage}:error` });
    expect(answer.error).toEqual(expect.any(String));
    expect(answer.trail.at(-1)).toMatchObject({ stage, outcome: 'ended' });
    expect(answer.refusal).not.toBeNull();
    expect(deps.logged).toHaveLength(1);
    expect(deps.logged[0]?.verdict).toMatchObject({ approved: false });
    expect(deps.kept).toMatchObject([{ decision: 'denied', stage }]);
  });

  test.each<keyof ReturnType<typeof surroundings>['desk']>(['silencedBy', 'open', 'stateOf', 'bindingOf', 'use'])(
    'in the desk (%s)',
    async (part) => {
      const deps = surroundings();
      deps.card = { status: 'approved', by: null, used: false };
      deps.desk = { ...deps.desk, [part]: fail };
      const answer = await createLine(deps).decide({ ...REQUEST, wait_s: 1 });
      expect(answer).toMatchObject({ decision: 'denied', stage: 'approval', decided_by: 'error' });
    },
  );

  test('in the log or the record, whose own promise not to throw is broken', async () => {
    for (const more of [{ log: fail }, { keep: fail }]) {
      expect((await createLine(surroundings(more)).decide(NOW)).decision).toBe('denied');
    }
  });
});

describe('an approval is only as good as what it is used for [security]', () => {
  const approved = async (desk: Partial<LineDeps['desk']>, more: Partial<LineDeps> = {}) => {
    const deps = surroundings(more);
    deps.card = { status: 'approved', by: { channel: 'panel', sender_id: 'operator' }, used: false };
    deps.desk = { ...deps.desk, ...desk };
    return createLine(deps).decide({ ...REQUEST, wait_s: 1 });
  };
  test('used once, for the same step', async () => {
    expect(await approved({})).toMatchObject({ decision: 'approved', decided_by: 'person' });
    expect(await approved({ use: () => false })).toMatchObject({ decision: 'denied', rule: 'approval:used' });
    expect(await approved({ bindingOf: () => 'other-action' })).toMatchObject({ rule: 'approval:other-action' });
  });

  test('a file that changes every time is given up', async () => {
    const open = vi.fn(surroundings().desk.open);
    expect(await approved({ open, bindingOf: () => 'file-changed' })).toMatchObject({ rule: 'approval:file-changed' });
    expect(open).toHaveBeenCalledTimes(3);
  });

  test('the guard has the last word', async () => {
    let asked = 0;
    const guard = () => {
      asked += 1;
      return asked === 1 ? null : { rule: 'x', reason: 'guard: blocked now' };
    };
    expect(await approved({}, { guard })).toMatchObject({ decision: 'denied', reason: 'denied: guard: blocked now' });
  });

  test('a card that cannot be decided any more is refused as soon as it is written', async () => {
    const refuse = vi.fn(() => true);
    const deps = surroundings({ guard: () => ({ rule: 'x', reason: 'no' }) });
    deps.desk = { ...deps.desk, refuse };
    expect(await createLine(deps).decide(REQUEST)).toMatchObject({ decision: 'denied', rule: 'x' });
    expect(refuse).toHaveBeenCalled();
  });
});

test('what changed while a model was asked counts', async () => {
  let level: 'Supervised' | 'ReadOnly' = 'Supervised';
  const deps = surroundings({
    levelOf: () => ({ level, revoked: false, frozen: level === 'ReadOnly', problem: null }),
    evaluate: async () => {
      level = 'ReadOnly';
      return approvedBy();
    },
  });
  const write = { ...REQUEST, executor: 'write_files' };
  expect(await createLine(deps).decide(write)).toMatchObject({ decision: 'denied', rule: 'policy:frozen' });
});

test('a caller that left while a model was asked is told nothing was allowed', async () => {
  const caller = new AbortController();
  const deps = surroundings({
    evaluate: async (_, signal) => {
      caller.abort();
      expect(signal().aborted).toBe(true);
      return approvedBy();
    },
  });
  const line = createLine(deps);
  expect(await line.decide(NOW, { signal: caller.signal })).toMatchObject({ decision: 'withdrawn' });
  expect(line.inFlight()).toEqual([]);
});

test('the verdict is in the log before the line answers', async () => {
  const order: string[] = [];
  const deps = surroundings({ log: () => order.push('logged'), keep: () => order.push('kept') });
  await createLine(deps).decide(NOW);
  order.push('answered');
  expect(order).toEqual(['logged', 'kept', 'answered']);
});

test('whatever the context says, a command is judged as one and what is critical is critical', async () => {
  const seen: unknown[] = [];
  const deps = surroundings({
    evaluate: ({ context }) => {
      seen.push(context);
      return approvedBy();
    },
  });
  const context = { critical: false, capability: 'time:read' };
  await createLine(deps).decide({ ...REQUEST, executor: 'tidy', args: { command: 'ls' }, context });
  await createLine(deps).decide({ ...REQUEST, executor: 'write_files', context: { critical: false } });
  await createLine(deps).decide({ ...REQUEST, context: { critical: false } });
  expect(seen).toEqual([{ critical: true, capability: 'code:exec' }, { critical: true }, { critical: false }]);
});

test('random requests and random faults: nothing crashes, nothing is allowed because of an error', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('read_files', 'get_now', 'shell_exec', 'fs:read', 'time:read', ''),
  );
  const request = fc.record(
    {
      channel: text,
      sender_id: text,
      intent: text,
      executor: text,
      args: fc.dictionary(fc.oneof(text, fc.constantFrom('path', 'command', 'url', '__proto__')), fc.jsonValue()),
      capability: text,
      target: text,
      context: fc.dictionary(text, fc.jsonValue()),
      args_schema: fc.dictionary(fc.constantFrom('type', 'properties', '$ref', 'pattern'), fc.jsonValue()),
      capabilities: fc.array(fc.record({ name: text, hints: fc.array(text) })),
      wait_s: fc.constantFrom(0, 0, 0, -1),
    },
    { requiredKeys: [] },
  );
  const faulty = fc.subarray(['levelOf', 'decide', 'evaluate', 'validator'] as const);
  await fc.assert(
    fc.asyncProperty(fc.oneof(request, fc.jsonValue()), faulty, async (asked, broken) => {
      const deps = surroundings(Object.fromEntries(broken.map((part) => [part, fail])));
      const answer = await createLine(deps).decide(asked);
      expect(decideAnswerSchema.safeParse(answer).error).toBeUndefined();
      if (broken.some((part) => part !== 'validator')) expect(mayRun(answer.decision)).toBe(false);
      expect(deps.logged).toHaveLength(1);
      expect(deps.kept).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
});

test('only two of the decisions mean that it may run', () => {
  expect(DECISIONS.filter(mayRun)).toEqual(['allowed', 'approved']);
});
