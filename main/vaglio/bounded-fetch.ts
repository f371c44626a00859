/** A call to a model that went wrong, in words that hold nothing of what was sent or answered. */
export class CallFault extends Error {}

/**
 * `fetch` for one call to a model: gives up on an answer that is larger than `maxBytes`, and follows no redirect, which
 * could lead keys to another server.
 * @param onFault what went wrong, for the library wraps it in an error of its own
 */
export function boundedFetch(maxBytes: number, onFault: (fault: CallFault) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const refuse = (says: string): CallFault => {
      const fault = new CallFault(says);
      onFault(fault);
      return fault;
    };
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw refuse(`HTTP ${response.status}: a redirect is not followed`);
    }
    if (response.body === null) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > maxBytes) controller.error(refuse(`the answer is larger than ${maxBytes} bytes`));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}
