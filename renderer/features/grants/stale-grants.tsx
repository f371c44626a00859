import { Hourglass } from 'lucide-react';
import { useEffect } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useGrantsText } from './strings.ts';
import { SuggestedGrants } from './suggested-grants.tsx';

/**
 * Suggests to revoke what has not been used for long (ui page, "Grants"). The engine looks once more before it
 * revokes.
 *
 * @param props.listed changes whenever the grants were listed again
 */
export function StaleGrants(props: { listed: unknown; onRevoke: (grants: readonly GrantView[]) => void }) {
  const t = useGrantsText();
  const { data, refetch } = useQuery(rpc.grants.stale, {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list is the reason to ask again
  useEffect(refetch, [props.listed]);
  const { grants = [], after_days = 0 } = data ?? {};
  const count = grants.length;
  return (
    <SuggestedGrants
      icon={Hourglass}
      title={t('stale.title', { count, days: after_days })}
      help={t('stale.help')}
      forAll={
        <Button size="sm" look="danger" onClick={() => props.onRevoke(grants.map(({ grant }) => grant))}>
          {t('stale.revoke', { count })}
        </Button>
      }
      suggestions={grants}
      why={({ unused_since_ms }) => (
        <span className="shrink-0 text-xs text-soft">
          {t('stale.since')} <RelativeTime ms={unused_since_ms} />
        </span>
      )}
      onRevoke={props.onRevoke}
    />
  );
}
