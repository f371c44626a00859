import { ChevronDown } from 'lucide-react';
import { foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Menu, MenuChoices, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import { useUiText } from '../../ui/strings.ts';
import { DEFAULT_SCOPE, pairingName, scopeKey } from './level.logic.ts';
import { useLevelInForce, useLevels } from './level.store.ts';
import { useLevelText } from './strings.ts';

/** The scope's name as a plain string, hidden characters marked. */
export function useScopeName(): string {
  const t = useLevelText();
  const now = useLevelInForce();
  return now?.pairing ? foreignToPlain(pairingName(now.pairing)) : t('default');
}

/** Chooses whose level the switch shows: the default, or one pairing. */
export function ScopeChooser() {
  const t = useLevelText();
  const ui = useUiText();
  const state = useLevels((levels) => levels.state);
  const scope = useLevels((levels) => levels.scope);
  const name = useScopeName();
  const pairings = state?.pairings ?? [];
  const scopes = new Map(
    pairings.map((each) => {
      const one = { kind: 'pairing', channel: each.channel, sender_id: each.sender_id } as const;
      return [scopeKey(one), one] as const;
    }),
  );
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`${t('scope')}: ${name}`}
          className="inline-flex h-7 max-w-52 min-w-0 items-center gap-1.5 rounded-md border border-transparent px-2 text-soft select-none hover:bg-hover hover:text-ink"
        >
          <span className="truncate">{name}</span>
          <ChevronDown aria-hidden size={13} className="shrink-0 text-faint" />
        </button>
      }
    >
      <MenuLabel>{t('scope')}</MenuLabel>
      <MenuChoices
        value={scopeKey(scope)}
        onChange={(key) => useLevels.setState({ scope: scopes.get(key) ?? DEFAULT_SCOPE })}
        options={[
          { value: 'default', label: t('default'), hint: state ? ui(state.default_level) : undefined },
          ...pairings.map((each) => ({
            value: scopeKey({ kind: 'pairing', channel: each.channel, sender_id: each.sender_id }),
            label: <ForeignText text={pairingName(each)} limit={80} />,
            hint:
              each.revoked_at !== null
                ? t('revoked')
                : each.known
                  ? ui(each.level)
                  : `${ui(each.level)} (${t('unknown')})`,
          })),
        ]}
      />
      {pairings.length === 0 && (
        <>
          <MenuSeparator />
          <p className="px-2 py-1.5 text-xs text-faint">
            {state?.problem ? t('problem', { problem: state.problem }) : t('noPairings')}
          </p>
        </>
      )}
    </Menu>
  );
}
