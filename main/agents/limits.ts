/** What one agent, or all of them together, may take of the engine's memory and patience. */
export interface DoorLimits {
  /** Bytes of one request, without its newline (agents page: 10 MiB). */
  lineBytes: number;
  /** Bytes of unfinished requests, all connections together. */
  heldBytes: number;
  connections: number;
  /** Unanswered requests of one connection; one more is refused. */
  inFlight: number;
  /** Requests in one batch. */
  batch: number;
  /** Bytes that may wait for a slow reader before we stop reading from it. */
  unsentBytes: number;
  /** From a request's first byte to its newline, ms. */
  lineMs: number;
  /** Without a byte, and with nothing unanswered, ms. */
  idleMs: number;
  /** For a reader that takes nothing of what waits for it, ms. */
  unsentMs: number;
  /** How often the three times are looked at, ms. */
  sweepMs: number;
  /** How long the answer of a `request_id` is kept for its duplicates, ms. */
  repeatMs: number;
  /** How many such answers. */
  repeats: number;
}

export const DOOR_LIMITS: DoorLimits = {
  lineBytes: 10 * 1024 * 1024,
  heldBytes: 128 * 1024 * 1024,
  connections: 4096,
  inFlight: 1024,
  batch: 100,
  unsentBytes: 1024 * 1024,
  lineMs: 30_000,
  idleMs: 10 * 60_000,
  unsentMs: 30_000,
  sweepMs: 1000,
  repeatMs: 30_000,
  repeats: 2000,
};
