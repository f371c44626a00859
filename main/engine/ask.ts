/** One thing that a step needs to be allowed: a capability, at a target. */
export interface Need {
  capability: string;
  /** null: the step does not say which; then no grant can cover it. */
  target: string | null;
}

/** A step for which a person is asked, with all that is needed to judge it again afterwards. */
export interface Ask {
  channel: string;
  sender_id: string;
  executor: string;
  intent: string;
  args: Record<string, unknown>;
  context: Record<string, unknown>;
  turn_id: string | null;
  step: number | null;
  /** The one of `needs` for which the person is asked; the strictest. */
  capability: string;
  needs: readonly Need[];
  /** What is done, as one English word: read, write, move, delete, run, fetch, send. */
  verb: string;
  /** The whole object: a command, paths, recipients, one a line. */
  object: string;
  from: string | null;
  to: string | null;
  /** Rules of the guard's structural layer that were met without a block. */
  marks: readonly string[];
}

/** How a card stands. `unknown`: there is none, or it cannot be read as one of ours. */
export interface CardState {
  status: 'pending' | 'approved' | 'rejected' | 'expired' | 'withdrawn' | 'unknown';
  /** Who decided, as stored. */
  by: { channel: string; sender_id: string } | null;
  /** An approval that has been given to its caller; it serves once. */
  used: boolean;
}

/** What an approval still holds when it is about to be used. */
export type Binding = 'same' | 'other-action' | 'file-changed';

/**
 * The desk at which a person decides, as the line sees it (pipeline page, "Approvals"). Methods that touch the file throw
 * a UserError naming it.
 */
export interface Desk {
  /** The id of the "don't ask again" that rejects this, or null. */
  silencedBy(ask: Ask): string | null;
  /** Opens a card; it is on disk when this resolves. Cards that are asked for together are written together. */
  open(ask: Ask): Promise<{ token: string; expires_at: string; expires_ms: number }>;
  stateOf(token: string): CardState;
  /** The ask behind one of our own cards, for a caller who comes back for it; null when it is not kept any more. */
  askOf(token: string): Ask | null;
  /** When the card runs out; null when there is none. */
  termsOf(token: string): { expires_at: string; expires_ms: number } | null;
  /** Resolves when the card may stand otherwise, after `ms`, or when the signal ends. Never rejects. */
  changed(token: string, ms: number, signal: AbortSignal): Promise<void>;
  /** Is the approval for exactly this, with its files as they were? */
  bindingOf(token: string, ask: Ask): Binding;
  /** Uses an approval up; false when it was used or is none. */
  use(token: string): boolean;
  /** The caller left: a card that still waits is withdrawn. */
  withdraw(token: string, senderId: string): boolean;
  /** The engine itself refuses a card that still waits. @param why a short word, kept with the card */
  refuse(token: string, why: string): boolean;
  /** Tokens of our own cards that still wait. */
  waitingTokens(): string[];
}
