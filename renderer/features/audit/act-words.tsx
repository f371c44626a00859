import { Ban, Check, Eye, KeyRound, type LucideIcon, SlidersHorizontal, Undo2 } from 'lucide-react';
import type { Act, ActKind } from '../../../shared/domain/integrity.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useUiText } from '../../ui/strings.ts';
import { useAuditText } from './strings.ts';

const ICON: Record<ActKind, LucideIcon> = {
  grant: KeyRound,
  revoke: Undo2,
  level: SlidersHorizontal,
  approve: Check,
  reject: Ban,
  acknowledge: Eye,
};

/** What kind of act, by picture and word. */
export function ActMark(props: { kind: ActKind }) {
  const t = useAuditText();
  const Icon = ICON[props.kind];
  return (
    <span className="inline-flex items-center gap-1.5 font-medium whitespace-nowrap text-accent">
      <Icon aria-hidden size={13} strokeWidth={1.75} className="shrink-0" />
      {t(`act.${props.kind}`)}
    </span>
  );
}

/** A level as the switch says it, or as it stands where it is none of ours. */
function useLevelWord(): (level: string) => string {
  const ui = useUiText();
  return (level) => (level === 'ReadOnly' || level === 'Supervised' || level === 'Full' ? ui(level) : level);
}

/** What was done, in a line; every text from outside as text. */
export function ActWords(props: { act: Act }) {
  const t = useAuditText();
  const level = useLevelWord();
  const { kind, facts } = props.act;
  const said = (key: string): string => String(facts[key] ?? '');
  const scope = [facts.channel, facts.sender_id].filter((part) => part !== null && part !== undefined && part !== '');
  const what =
    kind === 'level'
      ? t('act.levelOf', { from: level(said('from_level')), to: level(said('to_level')) })
      : kind === 'grant' || kind === 'revoke'
        ? `${said('capability')} ${said('target')}`
        : kind === 'acknowledge'
          ? said('detail')
          : `${said('action_verb')} ${said('target_summary')}`;
  return (
    <>
      <span className="text-faint">
        {kind === 'acknowledge' ? (
          <ForeignText text={said('file')} limit={120} />
        ) : scope.length === 0 ? (
          t('act.default')
        ) : (
          <ForeignText text={scope.join(' / ')} limit={120} />
        )}
      </span>{' '}
      <ForeignText mono={kind !== 'level' && kind !== 'acknowledge'} text={what} limit={240} />
    </>
  );
}
