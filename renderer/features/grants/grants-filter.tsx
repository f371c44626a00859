import { Search } from 'lucide-react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar, ToggleChip } from '../../ui/filter-bar.tsx';
import { foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { countGrants, filterGrants, type GrantFilter, isFiltered, NO_FILTER, valuesOf } from './grants.logic.ts';
import { useGrantsText } from './strings.ts';

/** Not a value that a file can hold in its place: the select needs a text for "any". */
const ANY = '\u0000any';

export function GrantsFilter(props: {
  grants: readonly GrantView[];
  shown: number;
  /** Whether the file was read: what was not read is not counted as none. */
  known: boolean;
  now: number;
  filter: GrantFilter;
  onChange: (filter: GrantFilter) => void;
}) {
  const t = useGrantsText();
  const { grants, filter, onChange, now } = props;
  const listed = filterGrants(grants, { ...NO_FILTER, all: filter.all }, now);
  const counts = countGrants(listed, now);
  const capabilities = valuesOf(listed, 'capability', filter.capabilities);

  return (
    <FilterBar label={t('search')}>
      <Input
        icon={Search}
        type="search"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
        placeholder={t('search')}
        aria-label={t('search')}
        className="w-48"
      />
      <Choice
        label={t('filter.channel')}
        any={t('filter.anyChannel')}
        value={filter.channel}
        values={valuesOf(listed, 'channel', filter.channel === null ? [] : [filter.channel])}
        onChange={(channel) => onChange({ ...filter, channel })}
      />
      <Choice
        label={t('filter.sender')}
        any={t('filter.anySender')}
        value={filter.sender}
        values={valuesOf(listed, 'sender_id', filter.sender === null ? [] : [filter.sender])}
        onChange={(sender) => onChange({ ...filter, sender })}
      />
      {capabilities.length > 0 && (
        <fieldset className="order-last flex basis-full flex-wrap gap-1">
          <legend className="sr-only">{t('filter.capability')}</legend>
          {capabilities.slice(0, 16).map((name) => {
            const on = filter.capabilities.includes(name);
            return (
              <ToggleChip
                key={name}
                on={on}
                onChange={() =>
                  onChange({
                    ...filter,
                    capabilities: on ? filter.capabilities.filter((c) => c !== name) : [...filter.capabilities, name],
                  })
                }
              >
                <span className="max-w-40 truncate font-mono">{foreignToPlain(name)}</span>
              </ToggleChip>
            );
          })}
        </fieldset>
      )}
      {isFiltered(filter) && (
        <Button size="sm" look="quiet" onClick={() => onChange({ ...NO_FILTER, all: filter.all })}>
          {t('filter.clear')}
        </Button>
      )}
      <div className="ml-auto flex items-center gap-4">
        <span role="status" className="text-xs text-faint">
          {props.known &&
            (isFiltered(filter)
              ? t('count.shown', { shown: props.shown, count: listed.length })
              : [
                  t('count.active', { count: counts.active }),
                  counts.noEffect > 0 && t('count.noEffect', { count: counts.noEffect }),
                ]
                  .filter(Boolean)
                  .join(' · '))}
        </span>
        <Switch label={t('showAll')} checked={filter.all} onChange={(all) => onChange({ ...filter, all })} />
      </div>
    </FilterBar>
  );
}

function Choice(props: {
  label: string;
  any: string;
  value: string | null;
  values: readonly string[];
  onChange: (value: string | null) => void;
}) {
  return (
    <Select
      label={props.label}
      value={props.value ?? ANY}
      onChange={(value) => props.onChange(value === ANY ? null : value)}
      options={[
        { value: ANY, label: props.any },
        // Radix takes an empty text for "nothing chosen"; a row with an empty channel is found by the search.
        ...props.values.filter((value) => value !== '').map((value) => ({ value, label: foreignToPlain(value) })),
      ]}
      className="max-w-40 text-soft"
    />
  );
}
