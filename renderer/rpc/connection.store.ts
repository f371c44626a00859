import { create } from 'zustand';

export interface Connection {
  state: 'connecting' | 'open' | 'lost';
  /** Counts the connections made; a subscription starts anew when it grows. */
  epoch: number;
}

export const useConnection = create<Connection>(() => ({ state: 'connecting', epoch: 0 }));

export function connectionOpened(): void {
  useConnection.setState((now) => ({ state: 'open', epoch: now.epoch + 1 }));
}

export function connectionLost(): void {
  // Before the first success it is still the start, not a loss.
  useConnection.setState((now) => (now.epoch === 0 ? now : { ...now, state: 'lost' }));
}
