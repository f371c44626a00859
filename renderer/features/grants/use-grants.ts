import { useEffect, useState } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { rpc } from '../../rpc/client.ts';
import { type Query, useQuery, useSubscription } from '../../rpc/hooks.ts';
import { waitForExpiry } from './grants.logic.ts';

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
  const grants = query.data?.grants;
  const [now, setNow] = useState(() => Date.now());

  useEffect(() => {
    const present = Date.now();
    setNow((before) => Math.max(before, present));
    const wait = waitForExpiry(grants ?? [], present);
    if (wait === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const at = Date.now();
      setNow(at);
      const next = waitForExpiry(grants ?? [], at);
      if (next !== null) timer = setTimeout(look, Math.max(1, next));
    };
    timer = setTimeout(look, Math.max(1, wait));
    return () => clearTimeout(timer);
  }, [grants]);

  return { ...query, now };
}
