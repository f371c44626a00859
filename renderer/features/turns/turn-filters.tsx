import type { OutputOf } from '../../../shared/rpc/contract.ts';
import type { turnsContract } from '../../../shared/rpc/turns.ts';
import type { TurnsSearch } from '../../app/links.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar, ToggleChip } from '../../ui/filter-bar.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { useTurnsText } from './strings.ts';
import { KINDS } from './turn-list.logic.ts';

type Choices = OutputOf<typeof turnsContract.choices>;
const EVERY = '*';

function Choice(props: {
  label: string;
  all: string;
  value: string | undefined;
  choices: Choices['channels'] | undefined;
  say?: (name: string) => React.ReactNode;
  onChange: (name: string | undefined) => void;
}) {
  const { value } = props;
  const known = props.choices?.filter(({ name }) => name !== EVERY) ?? [];
  const choices = value === undefined || known.some(({ name }) => name === value) ? known : [{ name: value }, ...known];
  return (
    <Select
      label={props.label}
      value={value ?? EVERY}
      onChange={(name) => props.onChange(name === EVERY ? undefined : name)}
      options={[
        { value: EVERY, label: props.all },
        ...choices.map(({ name, ...rest }) => ({
          value: name,
          label: props.say?.(name) ?? <ForeignText text={name} limit={80} />,
          ...('count' in rest ? { hint: rest.count } : {}),
        })),
      ]}
      className="max-w-44"
    />
  );
}

/** What is shown: all of it stands in the address too. */
export function TurnFilters(props: {
  search: TurnsSearch;
  /** The log is read: what can be chosen is known. */
  ready: boolean;
  onChange: (change: Partial<Record<keyof TurnsSearch, unknown>>) => void;
}) {
  const t = useTurnsText();
  const { search, onChange } = props;
  const choices = useQuery(rpc.turns.choices, {}, { enabled: props.ready }).data;
  const { turn: _, step: __, ...filter } = search;
  const kind = (name: string) => {
    const known = [...KINDS, 'none' as const].find((each) => each === name);
    return known === undefined ? undefined : t(`kind.${known}`);
  };
  return (
    <FilterBar label={t('filters')}>
      <SearchField label={t('search')} value={search.text ?? ''} onChange={(text) => onChange({ text })} />
      <Choice
        label={t('channel')}
        all={t('channel.all')}
        value={search.channel}
        choices={choices?.channels}
        onChange={(channel) => onChange({ channel })}
      />
      <Choice
        label={t('sender')}
        all={t('sender.all')}
        value={search.sender}
        choices={choices?.senders}
        onChange={(sender) => onChange({ sender })}
      />
      <Choice
        label={t('outcome')}
        all={t('outcome.all')}
        value={search.outcome}
        choices={choices?.outcomes}
        say={kind}
        onChange={(outcome) => onChange({ outcome })}
      />
      <Choice
        label={t('executor')}
        all={t('executor.all')}
        value={search.executor}
        choices={choices?.executors}
        say={(name) => <ForeignText mono text={name} limit={80} />}
        onChange={(executor) => onChange({ executor })}
      />
      <ToggleChip on={search.refused === true} onChange={(on) => onChange({ refused: on ? true : undefined })}>
        {t('refusedOnly')}
      </ToggleChip>
      {Object.keys(filter).length > 0 && (
        <Button
          look="quiet"
          size="sm"
          onClick={() => onChange(Object.fromEntries(Object.keys(filter).map((key) => [key, undefined])))}
        >
          {t('clearAll')}
        </Button>
      )}
    </FilterBar>
  );
}
