/** What went wrong with a call, ready to be told to a person. */
export interface Problem {
  /** The engine's code (`bad-input`, `locked`, ...), or `offline` or `internal`. */
  code: string;
  /** The field or file that is meant. */
  subject: string | null;
  /** The engine's own sentence; null when it has none that is meant for people. */
  message: string | null;
}

interface ErrorData {
  userCode?: unknown;
  subject?: unknown;
}

function dataOf(error: unknown): ErrorData | null {
  if (typeof error !== 'object' || error === null || !('data' in error)) return null;
  const data = error.data;
  return typeof data === 'object' && data !== null ? data : null;
}

/** Reads the engine's error payload; anything without one is a lost connection or a fault of ours. */
export function toProblem(error: unknown): Problem {
  const data = dataOf(error);
  const message = error instanceof Error && error.message !== '' ? error.message : null;
  if (typeof data?.userCode === 'string' && data.userCode !== 'internal') {
    return { code: data.userCode, subject: typeof data.subject === 'string' ? data.subject : null, message };
  }
  if (data === null && error instanceof Error && /WebSocket|closed|connection|network/i.test(error.message)) {
    return { code: 'offline', subject: null, message: null };
  }
  return { code: 'internal', subject: null, message: null };
}

/** True for a call that was called off by ourselves. */
export function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || (error.cause instanceof Error && error.cause.name === 'AbortError');
}
