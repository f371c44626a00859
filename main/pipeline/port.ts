import type { AutonomyLevel } from '../../shared/domain/capability.ts';
import type { DecideAnswer, InFlight } from '../../shared/domain/decision.ts';

/** What the line offers to its doors (pipeline page). No method ever rejects or throws: a fault is a refusal that says so. */
export interface Line {
  /**
   * One proposed step, from request to answer. With `wait_s` in the request it holds until a person decides, the
   * time is over or the signal ends; a signal that ends withdraws the card, and the answer is `withdrawn`.
   *
   * @param request checked here: anything that is no `decideRequestSchema` is denied
   * @returns the answer itself where nothing has to be waited for: a promise costs more than some stages
   */
  decide(request: unknown, options?: DecideOptions): DecideAnswer | Promise<DecideAnswer>;
  /**
   * What became of a card that `decide` did not wait for. `approved` is given once: the token is used up by it.
   * The signal's end stops the waiting and leaves the card.
   *
   * @param options.wait_s seconds to hold; absent or 0: the state as it is now
   */
  await(token: string, options?: { wait_s?: number; signal?: AbortSignal }): Promise<DecideAnswer>;
  /** Withdraws the request of this `request_id` or card token; false when none is unanswered. */
  cancel(id: string): boolean;
  /** Every stage's answer; nothing is logged, kept or asked. */
  tryOut(request: unknown, supposed?: Supposed): Promise<DecideAnswer>;
  inFlight(): InFlight[];
}

export interface DecideOptions {
  signal?: AbortSignal;
  /** Told as soon as a card is open, before a person has seen it. */
  onPending?(approval: { token: string; expires_at: string }): void;
}

/** Instead of what is in force. */
export interface Supposed {
  level?: AutonomyLevel | undefined;
  threshold?: number | undefined;
}
