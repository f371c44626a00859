import { randomUUID } from 'node:crypto';
import type { DecideRequest, InFlight } from '../../shared/domain/decision.ts';
import type { Clock } from '../engine/clock.ts';
import type { Step } from './stage.ts';

/** Requests that are not answered yet. */
export interface Flights {
  start(step: Step, signal: AbortSignal | undefined): Flight;
  list(): InFlight[];
  /** Ends those of this request id, card token or own id; false when there is none. */
  cancel(id: string): boolean;
}

export interface Flight {
  /** Ends with the caller's, or when the request is cancelled. Made when it is first asked for. */
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  /** Of the card that it waits for. */
  token: string | null;
  end(): void;
}

/** A class: one is made for every call, and its methods are not made anew each time. */
class Entry implements Flight {
  token: string | null = null;
  readonly step: Step;
  readonly since: number;
  /** Within this run. */
  readonly number: number;
  readonly #open: Set<Entry>;
  readonly #caller: AbortSignal | undefined;
  #isCancelled = false;
  #own: AbortController | null = null;
  #left: (() => void) | null = null;

  constructor(open: Set<Entry>, step: Step, caller: AbortSignal | undefined, since: number, number: number) {
    this.#open = open;
    this.step = step;
    this.#caller = caller;
    this.since = since;
    this.number = number;
  }

  get signal(): AbortSignal {
    if (this.#own === null) {
      this.#own = new AbortController();
      if (this.isCancelled) this.#own.abort();
      else {
        this.#left = () => this.cancel();
        this.#caller?.addEventListener('abort', this.#left, { once: true });
      }
    }
    return this.#own.signal;
  }

  get isCancelled(): boolean {
    return this.#isCancelled || this.#caller?.aborted === true;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#own?.abort();
  }

  end(): void {
    if (this.#left !== null) this.#caller?.removeEventListener('abort', this.#left);
    this.#open.delete(this);
  }
}

export function createFlights(clock: Clock): Flights {
  const open = new Set<Entry>();
  let count = 0;
  // Unique over restarts too: what lies around from an earlier run names nothing here.
  const run = randomUUID();
  const idOf = ({ number }: Entry): string => `${run}:${number}`;

  const isNamed = (entry: Entry, name: string): boolean =>
    idOf(entry) === name || entry.token === name || entry.step.request.request_id === name;

  return {
    start: (step, signal) => {
      count += 1;
      const entry = new Entry(open, step, signal, clock(), count);
      open.add(entry);
      return entry;
    },
    list: () => [...open].map((entry) => inFlight(idOf(entry), entry.step.request, entry.step, entry, entry.since)),
    cancel: (name) => {
      const named = [...open].filter((entry) => isNamed(entry, name));
      for (const entry of named) entry.cancel();
      return named.length > 0;
    },
  };
}

function inFlight(id: string, request: DecideRequest, step: Step, flight: Flight, since: number): InFlight {
  const { channel, sender_id, executor } = request;
  return { id, channel, sender_id, executor, capability: step.capability, token: flight.token, since_ms: since };
}
