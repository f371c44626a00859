import { useEffect, useMemo } from 'react';
import { rpc } from '../rpc/client.ts';
import { useSubscription } from '../rpc/hooks.ts';
import { throttle } from './throttle.logic.ts';

/** At most one count a second, however fast rows arrive. */
const INTERVAL_MS = 1000;

/** Runs `recount` when verdicts arrive. @param recount has to be the same function from one render to the next */
export function useRecount(recount: () => void): void {
  const throttled = useMemo(() => throttle(recount, INTERVAL_MS), [recount]);
  useEffect(() => () => throttled.cancel(), [throttled]);
  useSubscription(rpc.audit.live, () => ({}), throttled.call);
}
