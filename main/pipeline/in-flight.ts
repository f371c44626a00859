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

interface Entry {
  id: string;
  step: Step;
  flight: Flight;
  cancel(): void;
  since: number;
}

export function createFlights(clock: Clock): Flights {
  const open = new Map<string, Entry>();
  let count = 0;
  // Unique over restarts too: what lies around from an earlier run names nothing here.
  const run = randomUUID();

  const isNamed = ({ id, step, flight }: Entry, name: string): boolean =>
    id === name || flight.token === name || step.request.request_id === name;

  return {
    start: (step, signal) => {
      count += 1;
      const id = `${run}:${count}`;
      let controller: AbortController | null = null;
      let isCancelled = false;
      const cancel = (): void => {
        isCancelled = true;
        controller?.abort();
      };
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
      const flight: Flight = {
        get signal() {
          controller ??= new AbortController();
          if (isCancelled) controller.abort();
          return controller.signal;
        },
        get isCancelled() {
          return isCancelled;
        },
        token: null,
        end: () => {
          signal?.removeEventListener('abort', cancel);
          open.delete(id);
        },
      };
      open.set(id, { id, step, flight, cancel, since: clock() });
      return flight;
    },
    list: () =>
      [...open.values()].map(({ id, step, flight, since }) => inFlight(id, step.request, step, flight, since)),
    cancel: (name) => {
      const named = [...open.values()].filter((entry) => isNamed(entry, name));
      for (const entry of named) entry.cancel();
      return named.length > 0;
    },
  };
}

function inFlight(id: string, request: DecideRequest, step: Step, flight: Flight, since: number): InFlight {
  const { channel, sender_id, executor } = request;
  return { id, channel, sender_id, executor, capability: step.capability, token: flight.token, since_ms: since };
}
