import { Layers } from 'lucide-react';
import { useMemo } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { containedGrants } from './contained.logic.ts';
import { useGrantsText } from './strings.ts';
import { SuggestedGrants } from './suggested-grants.tsx';

/** Suggests to revoke what another grant covers anyway (ui page, "Grants"). */
export function ContainedGrants(props: {
  grants: readonly GrantView[];
  now: number;
  onRevoke: (grants: readonly GrantView[]) => void;
}) {
  const t = useGrantsText();
  const capabilities = useQuery(rpc.policy.matrix, {}).data?.capabilities;
  const contained = useMemo(() => {
    const kinds = new Map((capabilities ?? []).map(({ name, target_kind }) => [name as string, target_kind]));
    return containedGrants(props.grants, kinds, props.now);
  }, [capabilities, props.grants, props.now]);
  return (
    <SuggestedGrants
      icon={Layers}
      title={t('contained.title', { count: contained.length })}
      help={t('contained.help')}
      suggestions={contained}
      why={({ by }) => (
        <span className="min-w-0 truncate text-xs text-soft">
          {t('contained.by', { id: by.id })} <ForeignText text={by.target} mono limit={80} />
        </span>
      )}
      onRevoke={props.onRevoke}
    />
  );
}
