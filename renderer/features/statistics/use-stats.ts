import type { Stats, StatsRange } from '../../../shared/rpc/audit.ts';
import { useRecount } from '../../app/use-recount.ts';
import { rpc } from '../../rpc/client.ts';
import { type Query, useQuery } from '../../rpc/hooks.ts';

/** The figures of a range, counted again while rows arrive. */
export function useStats(range: StatsRange): Query<Stats> {
  const query = useQuery(rpc.audit.stats, { range });
  useRecount(query.refetch);
  return query;
}
