import { useCallback, useEffect, useRef, useState } from 'react';
import type { QueryCall, SubscriptionCall } from './client.ts';
import { useConnection } from './connection.store.ts';
import { isAbort, type Problem, toProblem } from './problem.ts';

export interface Query<O> {
  /** The last answer; stays while a newer one is on its way or failed. */
  data: O | undefined;
  problem: Problem | null;
  /** True while an answer is on its way and there is none yet. */
  loading: boolean;
  refetch: () => void;
}

const REMEMBERED = 40;
// A page that was open before shows its last state at once and then the new one.
const remembered = new Map<string, unknown>();

function remember(key: string, value: unknown): void {
  remembered.delete(key);
  remembered.set(key, value);
  const oldest = remembered.keys().next();
  if (remembered.size > REMEMBERED && !oldest.done) remembered.delete(oldest.value);
}

/** Forgets every remembered answer. @internal for tests */
export function forgetAnswers(): void {
  remembered.clear();
}

/** Asks when mounted, when the input changes (by value), after a reconnect, and on `refetch`. */
export function useQuery<I, O>(call: QueryCall<I, O>, input: I, options: { enabled?: boolean } = {}): Query<O> {
  const key = `${call.path} ${JSON.stringify(input)}`;
  const enabled = options.enabled ?? true;
  const epoch = useConnection((connection) => connection.epoch);
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<{ key: string; data: O | undefined; problem: Problem | null }>();
  const latest = useRef({ call, input });
  latest.current = { call, input };

  // biome-ignore lint/correctness/useExhaustiveDependencies: epoch and round are the reasons to ask again
  useEffect(() => {
    if (!enabled) return;
    const abort = new AbortController();
    latest.current.call(latest.current.input, abort.signal).then(
      (data) => {
        if (abort.signal.aborted) return;
        remember(key, data);
        setAnswer({ key, data, problem: null });
      },
      (error: unknown) => {
        if (abort.signal.aborted || isAbort(error)) return;
        setAnswer((before) => ({
          key,
          data: before?.key === key ? before.data : (remembered.get(key) as O | undefined),
          problem: toProblem(error),
        }));
      },
    );
    return () => abort.abort();
  }, [key, enabled, epoch, round]);

  const own = answer?.key === key ? answer : undefined;
  const data = own?.data ?? (remembered.get(key) as O | undefined);
  const refetch = useCallback(() => setRound((before) => before + 1), []);
  return { data, problem: own?.problem ?? null, loading: enabled && data === undefined && !own?.problem, refetch };
}

/**
 * Follows a subscription while mounted. After a lost connection it starts anew, with the input that
 * `input` gives then, so that a stream can go on where it stopped. Gives the problem that ended it.
 */
export function useSubscription<I, O>(
  call: SubscriptionCall<I, O>,
  input: () => I,
  onEvent: (event: O) => void,
  options: { enabled?: boolean } = {},
): Problem | null {
  const enabled = options.enabled ?? true;
  const { state, epoch } = useConnection();
  const [problem, setProblem] = useState<Problem | null>(null);
  const latest = useRef({ input, onEvent });
  latest.current = { input, onEvent };
  const open = state === 'open';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new epoch is a new connection
  useEffect(() => {
    if (!enabled || !open) return;
    setProblem(null);
    return call(latest.current.input(), {
      onEvent: (event) => latest.current.onEvent(event),
      onError: (error) => setProblem(toProblem(error)),
    });
  }, [call, enabled, open, epoch]);
  return problem;
}
