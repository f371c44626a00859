import { expect, test, vi } from 'vitest';
import { answerOf, requestOf } from './line.stand-in.ts';
import { type Caller, createRepeats } from './repeats.ts';

function caller(): { left: AbortController; as: Caller; told: ReturnType<typeof vi.fn> } {
  const left = new AbortController();
  const told = vi.fn();
  return { left, told, as: { signal: left.signal, onPending: told } };
}

function setUp(keepMs = 100, most = 10) {
  let now = 0;
  let isStill = true;
  const repeats = createRepeats({ clock: () => now, keepMs, most });
  const runs: { caller: Caller; done: (decision: 'allowed' | 'withdrawn') => void; fail: () => void }[] = [];
  const run = (given: Caller) =>
    new Promise<ReturnType<typeof answerOf>>((done, fail) => {
      runs.push({
        caller: given,
        done: (decision) => done(answerOf({ decision })),
        fail: () => fail(new Error('broken')),
      });
    });
  const ask = (who: Caller, more: { request_id?: string; executor?: string; sender_id?: string } = {}) => {
    const { executor = 'x', request_id = 'r', ...rest } = more;
    return repeats.answer({ ...requestOf(executor, rest), request_id }, who, run, async () => isStill);
  };
  const end = (): void => {
    isStill = false;
  };
  return { ask, runs, end, pass: (ms: number) => (now += ms) };
}
const turn = () => new Promise((done) => setImmediate(done));

test('duplicates share one run, are told of its card, and get its answer; so does one that comes a little later', async () => {
  const { ask, runs, pass } = setUp();
  const [a, b] = [caller(), caller()];
  const first = ask(a.as);
  await turn();
  runs[0]?.caller.onPending({ token: 't', expires_at: 'then' });
  const second = ask(b.as);
  expect(a.told).toHaveBeenCalledExactlyOnceWith({ token: 't', expires_at: 'then' });
  expect(b.told).toHaveBeenCalledExactlyOnceWith({ token: 't', expires_at: 'then' });
  runs[0]?.done('allowed');
  expect(await first).toBe(await second);
  pass(99);
  expect(await ask(caller().as)).toBe(await first);
  expect(runs).toHaveLength(1);
  pass(1);
  ask(caller().as);
  await turn();
  expect(runs).toHaveLength(2);
});

test('another request with the same id is refused, while the first runs and after it', async () => {
  const { ask, runs } = setUp();
  const first = ask(caller().as);
  expect(ask(caller().as, { executor: 'y' })).toBeNull();
  await turn();
  runs[0]?.done('allowed');
  await first;
  expect(ask(caller().as, { executor: 'y' })).toBeNull();
  expect(runs).toHaveLength(1);
});

test('the same id of another sender is another request', async () => {
  const { ask, runs } = setUp();
  ask(caller().as);
  ask(caller().as, { sender_id: 'roberto' });
  await turn();
  expect(runs).toHaveLength(2);
});

test('the run ends when the last caller has left, and a new question then runs anew', async () => {
  const { ask, runs } = setUp();
  const [a, b] = [caller(), caller()];
  const first = ask(a.as);
  ask(b.as);
  await turn();
  a.left.abort();
  expect(runs[0]?.caller.signal.aborted).toBe(false);
  b.left.abort();
  expect(runs[0]?.caller.signal.aborted).toBe(true);
  ask(caller().as);
  await turn();
  expect(runs).toHaveLength(2);
  runs[0]?.done('withdrawn');
  await first;
  expect(ask(caller().as, { executor: 'y' })).toBeNull();
});

test('a withdrawn answer and a failed run are not kept', async () => {
  const { ask, runs } = setUp();
  const first = ask(caller().as);
  await turn();
  runs[0]?.done('withdrawn');
  await first;
  const second = ask(caller().as);
  await turn();
  runs[1]?.fail();
  await expect(second).rejects.toThrow('broken');
  ask(caller().as);
  await turn();
  expect(runs).toHaveLength(3);
});

test('no more than so many answers are kept', async () => {
  const { ask, runs } = setUp(1000, 2);
  for (const request_id of ['a', 'b', 'c', 'd']) {
    const answer = ask(caller().as, { request_id });
    await turn();
    runs.at(-1)?.done('allowed');
    await answer;
  }
  ask(caller().as, { request_id: 'a' });
  await turn();
  expect(runs).toHaveLength(5);
  expect(await ask(caller().as, { request_id: 'd' })).toMatchObject({ decision: 'allowed' });
});

test('a yes that does not hold any more is asked anew [security]', async () => {
  const { ask, runs, end } = setUp();
  const first = ask(caller().as);
  await turn();
  runs[0]?.done('allowed');
  await first;
  end();
  const again = [ask(caller().as), ask(caller().as)];
  await turn();
  expect(runs).toHaveLength(2);
  runs[1]?.done('withdrawn');
  for (const one of again) expect(await one).toMatchObject({ decision: 'withdrawn' });
});
