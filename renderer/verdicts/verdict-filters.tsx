import type { ReactNode } from 'react';
import { useLanguage } from '../app/i18n/i18n.ts';
import type { VerdictSearch } from '../app/links.ts';
import { rpc } from '../rpc/client.ts';
import { useQuery } from '../rpc/hooks.ts';
import { Button } from '../ui/button.tsx';
import { FilterBar, FilterChip, ToggleChip } from '../ui/filter-bar.tsx';
import { foreignToPlain } from '../ui/foreign-text.logic.ts';
import { ForeignText } from '../ui/foreign-text.tsx';
import { PhaseMark } from '../ui/phase-mark.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { clockTime } from '../ui/time.logic.ts';
import { useVerdictText } from './strings.ts';

const EVERY = '*';
const PHASES = ['guard', 'judge'];

function ExecutorFilter(props: { value: string | undefined; onChange: (executor: string | undefined) => void }) {
  const t = useVerdictText();
  const stats = useQuery(rpc.audit.stats, { range: 'all' });
  const known = stats.data?.by_executor.map((each) => each.executor).filter((each) => each !== '') ?? [];
  const names = props.value === undefined || known.includes(props.value) ? known : [props.value, ...known];
  return (
    <Select
      label={t('executor')}
      value={props.value ?? EVERY}
      onChange={(value) => props.onChange(value === EVERY ? undefined : value)}
      options={[
        { value: EVERY, label: t('executor.all') },
        ...names.map((name) => ({ value: name, label: <ForeignText mono text={name} limit={80} /> })),
      ]}
      className="max-w-48"
    />
  );
}

function rangeText(t: ReturnType<typeof useVerdictText>, language: 'en' | 'it', search: VerdictSearch): string {
  const say = (seconds: number) => {
    const { day, time } = clockTime(seconds * 1000, Date.now(), language);
    return day === null ? time : `${day} ${time}`;
  };
  if (search.from !== undefined && search.to !== undefined) {
    return t('range.between', { from: say(search.from), to: say(search.to) });
  }
  return search.from === undefined
    ? t('range.to', { to: say(search.to ?? 0) })
    : t('range.from', { from: say(search.from) });
}

function scoreText(t: ReturnType<typeof useVerdictText>, { min, max }: VerdictSearch): string {
  if (min === undefined) return t('score.below', { max: (max ?? 0).toFixed(2) });
  if (max === undefined || max >= 1) return t('score.from', { min: min.toFixed(2) });
  return t('score.between', { min: min.toFixed(2), max: max.toFixed(2) });
}

/** What is shown: all of it stands in the address too. */
export function VerdictFilters(props: {
  search: VerdictSearch;
  onChange: (change: Partial<Record<keyof VerdictSearch, unknown>>) => void;
  /** Further ways to choose. */
  children?: ReactNode;
}) {
  const t = useVerdictText();
  const language = useLanguage();
  const { search, onChange } = props;
  return (
    <FilterBar label={t('filters')}>
      <SearchField label={t('search')} value={search.text ?? ''} onChange={(text) => onChange({ text })} />
      <Segmented
        size="sm"
        label={t('outcome')}
        value={search.outcome ?? 'all'}
        onChange={(value) =>
          onChange(
            value === 'approved'
              ? { outcome: value, phase: undefined }
              : { outcome: value === 'all' ? undefined : value },
          )
        }
        options={(['all', 'approved', 'denied'] as const).map((value) => ({ value, label: t(`outcome.${value}`) }))}
      />
      {PHASES.map((phase) => (
        <ToggleChip
          key={phase}
          on={search.phase === phase}
          onChange={(on) =>
            onChange(
              on ? { phase, ...(search.outcome === 'approved' ? { outcome: undefined } : {}) } : { phase: undefined },
            )
          }
        >
          <PhaseMark phase={phase} />
        </ToggleChip>
      ))}
      <ExecutorFilter value={search.executor} onChange={(executor) => onChange({ executor })} />
      {props.children}
      {search.phase !== undefined && !PHASES.includes(search.phase) && (
        <FilterChip name={t('phase')} onClear={() => onChange({ phase: undefined })}>
          {foreignToPlain(search.phase)}
        </FilterChip>
      )}
      {search.rule !== undefined && props.children === undefined && (
        <FilterChip name={t('rule')} onClear={() => onChange({ rule: undefined })}>
          <ForeignText mono text={search.rule} limit={200} />
        </FilterChip>
      )}
      {(search.min !== undefined || search.max !== undefined) && (
        <FilterChip name={t('score')} onClear={() => onChange({ min: undefined, max: undefined })}>
          {scoreText(t, search)}
        </FilterChip>
      )}
      {(search.from !== undefined || search.to !== undefined) && (
        <FilterChip name={t('range')} onClear={() => onChange({ from: undefined, to: undefined })}>
          {rangeText(t, language, search)}
        </FilterChip>
      )}
      {Object.keys(search).length > 0 && (
        <Button
          look="quiet"
          size="sm"
          onClick={() => onChange(Object.fromEntries(Object.keys(search).map((key) => [key, undefined])))}
        >
          {t('clearAll')}
        </Button>
      )}
    </FilterBar>
  );
}
