import { CircleAlert } from 'lucide-react';
import { CAPABILITY_NAMES } from '../../../shared/domain/capability.ts';
import type { GrantState, GrantView } from '../../../shared/domain/grant.ts';
import { capabilityWords } from '../../app/i18n/capability-words.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { shortPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Td, Tr } from '../../ui/table.tsx';
import { nameOf } from './grant-name.logic.ts';
import { NARROW } from './narrow.ts';
import { useGrantsText } from './strings.ts';

export function GrantRow(props: {
  grant: GrantView;
  state: GrantState;
  selected: boolean;
  busy: boolean;
  onPress: (shift: boolean) => void;
  onToggle: () => void;
  onRevoke: () => void;
}) {
  const t = useGrantsText();
  const language = useLanguage();
  const { grant, state } = props;
  const active = state === 'active';
  const ended = !active;
  return (
    <Tr
      selected={props.selected}
      data-grant-id={grant.id}
      data-state={state}
      data-no-effect={grant.no_effect ?? undefined}
      className={cx(ended && 'text-faint')}
    >
      <Td className="w-9">
        {active && (
          <span data-control="select">
            <Checkbox
              name={t('select.row', { id: grant.id })}
              checked={props.selected}
              onClick={(event) => props.onPress(event.shiftKey)}
              onChange={props.onToggle}
            />
          </span>
        )}
      </Td>
      <Td className="max-w-36 truncate">
        <ForeignText text={grant.sender_id} limit={80} />
      </Td>
      <Td className="max-w-32 truncate">
        <ForeignText text={grant.channel} limit={80} />
      </Td>
      <Td className="whitespace-nowrap">
        <CapabilityName name={grant.capability} />
      </Td>
      <Td className="min-w-40 py-1 wrap-anywhere">
        <ForeignText text={grant.target} mono limit={400} />
        <Remark grant={grant} />
      </Td>
      <Td className={NARROW.granted}>
        <RelativeTime ms={grant.granted_ms ?? Number.NaN} />
      </Td>
      <Td>
        {grant.bad_expiry ? (
          <ForeignText text={grant.expires_at ?? ''} mono limit={40} className="text-deny" />
        ) : (
          <RelativeTime ms={grant.expires_ms} absent={t('never')} />
        )}
      </Td>
      <Td className={NARROW.last_used}>
        <RelativeTime ms={grant.last_used_ms} absent={grant.uses === null ? t('notKnown') : t('never')} />
      </Td>
      <Td className={cx('text-right tabular-nums', NARROW.uses)}>
        {grant.uses === null ? (
          <span className="text-faint">{t('notKnown')}</span>
        ) : (
          <span className={cx(grant.uses === 0 && 'text-faint')}>{grant.uses.toLocaleString(language)}</span>
        )}
      </Td>
      <Td className={cx('max-w-40 truncate', NARROW.granted_by)}>
        {grant.granted_by ? (
          <ForeignText text={grant.granted_by} limit={80} />
        ) : (
          <span className="text-faint">{t('noOne')}</span>
        )}
      </Td>
      <Td>
        <StateBadge grant={grant} state={state} />
      </Td>
      <Td className="w-px">
        {active && (
          <Button
            size="sm"
            data-control="revoke"
            disabled={props.busy}
            onClick={props.onRevoke}
            aria-label={t('revoke.one', { id: grant.id, what: nameOf(grant) })}
          >
            {t('revoke')}
          </Button>
        )}
      </Td>
    </Tr>
  );
}

function CapabilityName(props: { name: string }) {
  const language = useLanguage();
  const known = CAPABILITY_NAMES.find((name) => name === props.name);
  return (
    <span title={known ? capabilityWords[language][known].label : undefined}>
      <ForeignText text={props.name} mono limit={60} />
    </span>
  );
}

/** Why a row does not do what it seems to do; said in words, under the target. */
function Remark(props: { grant: GrantView }) {
  const t = useGrantsText();
  const { grant } = props;
  const words = [
    grant.no_effect && t(`noEffect.${grant.no_effect}`),
    grant.bad_expiry && t('badExpiry.help', { text: shortPlain(grant.expires_at ?? '', 40) }),
  ].filter(Boolean);
  if (words.length === 0) return null;
  return (
    <p className="mt-0.5 flex items-start gap-1 text-xs text-ask wrap-normal">
      <CircleAlert aria-hidden size={12} className="mt-0.5 shrink-0" />
      {words.join(' ')}
    </p>
  );
}

function StateBadge(props: { grant: GrantView; state: GrantState }) {
  const t = useGrantsText();
  if (props.grant.bad_expiry && props.state !== 'revoked') return <Badge tone="deny">{t('badExpiry')}</Badge>;
  if (props.state === 'revoked' && props.grant.revoked_reason === 'stale')
    return <Badge>{t('state.revokedUnused')}</Badge>;
  if (props.state !== 'active') return <Badge>{t(`state.${props.state}`)}</Badge>;
  if (props.grant.no_effect) return <Badge tone="ask">{t('noEffect')}</Badge>;
  return <Badge tone="allow">{t('state.active')}</Badge>;
}
