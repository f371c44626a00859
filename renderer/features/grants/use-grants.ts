import { useState } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { useAt } from '../../app/use-at.ts';
import { rpc } from '../../rpc/client.ts';
import { type Query, useQuery, useSubscription } from '../../rpc/hooks.ts';
import { nextExpiry } from './grants.logic.ts';

export interface GrantsState extends Query<{ grants: GrantView[]; problem: string | null }> {
  /** The instant (ms) for which the list holds; moves on when the next grant runs out. */
  now: number;
}

/** The grants, listed again when anybody changes the file, and looked at again when one runs out. */
export function useGrants(all: boolean): GrantsState {
  const query = useQuery(rpc.grants.list, all ? { all } : {});
  useSubscription(
    rpc.grants.changed,
    () => ({}),
    () => query.refetch(),
  );
  const [now, setNow] = useState(() => Date.now());
  useAt(nextExpiry(query.data?.grants ?? [], now), () => setNow(Date.now()));
  return { ...query, now };
}
