/** Streams `events`, then stays open until the client goes, and counts who is listening. */
export function openStream<T>(listening: { now: number }) {
  return async function* (events: readonly T[], signal: AbortSignal): AsyncGenerator<T> {
    listening.now += 1;
    try {
      yield* events;
      if (!signal.aborted)
        await new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
    } finally {
      listening.now -= 1;
    }
  };
}
