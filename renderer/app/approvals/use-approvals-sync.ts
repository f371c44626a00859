import { useEffect } from 'react';
import { rpc } from '../../rpc/client.ts';
import { useSubscription } from '../../rpc/hooks.ts';
import { takeWatched, useApprovals } from './approvals.store.ts';

/** Keeps the store at what waits, by whomever it was asked or decided. Stands once, in the frame. */
export function useApprovalsSync(): void {
  const failure = useSubscription(rpc.approvals.watch, () => ({}), takeWatched);
  useEffect(() => useApprovals.setState({ failure }), [failure]);
}
