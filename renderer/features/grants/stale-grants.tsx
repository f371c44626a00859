import { Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { nameOf } from './grant-name.logic.ts';
import { useGrantsText } from './strings.ts';

/** Rows shown of very many; the button stands for all of them. */
const MOST = 50;

/**
 * Suggests to revoke what has not been used for long (ui page, "Grants"). Only a suggestion; the engine looks once more
 * before it revokes.
 *
 * @param props.listed changes whenever the grants were listed again
 */
export function StaleGrants(props: { listed: unknown; onRevoke: (grants: readonly GrantView[]) => void }) {
  const t = useGrantsText();
  const { data, refetch } = useQuery(rpc.grants.stale, {});
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list is the reason to ask again
  useEffect(refetch, [props.listed]);
  if (data === undefined || data.grants.length === 0) return null;
  const count = data.grants.length;
  return (
    <section
      aria-label={t('stale.title', { count, days: data.after_days })}
      className="mx-4 my-2 rounded-md border border-line bg-panel px-3 py-2"
    >
      <div className="flex items-center gap-3">
        <Hourglass aria-hidden size={14} className="shrink-0 text-ask" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{t('stale.title', { count, days: data.after_days })}</p>
          <p className="text-xs text-soft">{t('stale.help')}</p>
        </div>
        <Button size="sm" look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'stale.hide' : 'stale.show')}
        </Button>
        {isOpen && (
          <Button size="sm" look="danger" onClick={() => props.onRevoke(data.grants.map(({ grant }) => grant))}>
            {t('stale.revoke', { count })}
          </Button>
        )}
      </div>
      {isOpen && (
        <ul className="mt-2 max-h-48 overflow-auto">
          {data.grants.slice(0, MOST).map(({ grant, unused_since_ms }) => (
            <li key={grant.id} className="flex items-center gap-3 border-t border-line py-1">
              <span className="min-w-0 flex-1 truncate">
                <ForeignText text={`${grant.channel} / ${grant.sender_id}`} limit={80} />{' '}
                <ForeignText text={`${grant.capability} ${grant.target}`} mono limit={200} />
              </span>
              <span className="shrink-0 text-xs text-soft">
                {t('stale.since')} <RelativeTime ms={unused_since_ms} />
              </span>
              <Button
                size="sm"
                aria-label={t('revoke.one', { id: grant.id, what: nameOf(grant) })}
                onClick={() => props.onRevoke([grant])}
              >
                {t('revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
