import { Layers } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { containedGrants } from './contained.logic.ts';
import { nameOf } from './grant-name.logic.ts';
import { useGrantsText } from './strings.ts';

/** Rows shown of very many. */
const MOST = 50;

/** Suggests to revoke what another grant covers anyway (panel page, "Grants"); nothing is done by itself. */
export function ContainedGrants(props: {
  grants: readonly GrantView[];
  now: number;
  onRevoke: (grants: readonly GrantView[]) => void;
}) {
  const t = useGrantsText();
  const capabilities = useQuery(rpc.policy.matrix, {}).data?.capabilities;
  const [isOpen, setOpen] = useState(false);
  const contained = useMemo(() => {
    const kinds = new Map((capabilities ?? []).map(({ name, target_kind }) => [name as string, target_kind]));
    return containedGrants(props.grants, kinds, props.now);
  }, [capabilities, props.grants, props.now]);
  const count = contained.length;
  if (count === 0) return null;
  const title = t('contained.title', { count });
  return (
    <section aria-label={title} className="mx-4 my-2 rounded-md border border-line bg-panel px-3 py-2">
      <div className="flex items-center gap-3">
        <Layers aria-hidden size={14} className="shrink-0 text-ask" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{title}</p>
          <p className="text-xs text-soft">{t('contained.help')}</p>
        </div>
        <Button size="sm" look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'stale.hide' : 'stale.show')}
        </Button>
      </div>
      {isOpen && (
        <ul className="mt-2 max-h-48 overflow-auto">
          {contained.slice(0, MOST).map(({ grant, by }) => (
            <li key={grant.id} className="flex items-center gap-3 border-t border-line py-1">
              <span className="min-w-0 flex-1 truncate">
                <ForeignText text={`${grant.channel} / ${grant.sender_id}`} limit={80} />{' '}
                <ForeignText text={`${grant.capability} ${grant.target}`} mono limit={200} />
              </span>
              <span className="min-w-0 truncate text-xs text-soft">
                {t('contained.by', { id: by.id })} <ForeignText text={by.target} mono limit={80} />
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
