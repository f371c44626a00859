import { useEffect, useMemo } from 'react';
import type { Stats, StatsRange } from '../../../shared/rpc/audit.ts';
import { rpc } from '../../rpc/client.ts';
import { type Query, useQuery, useSubscription } from '../../rpc/hooks.ts';
import { throttle } from './throttle.logic.ts';

/** At most one count a second, however fast rows arrive. */
const INTERVAL_MS = 1000;

/** The figures of a range, counted again while rows arrive. */
export function useStats(range: StatsRange): Query<Stats> {
  const query = useQuery(rpc.audit.stats, { range });
  const { refetch } = query;
  const throttled = useMemo(() => throttle(refetch, INTERVAL_MS), [refetch]);
  useEffect(() => () => throttled.cancel(), [throttled]);
  useSubscription(rpc.audit.live, () => ({}), throttled.call);
  return query;
}
