import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLanguage } from '../app/i18n/i18n.ts';
import type { VerdictSearch } from '../app/links.ts';
import { rpc } from '../rpc/client.ts';
import { useQuery } from '../rpc/hooks.ts';
import { Button } from '../ui/button.tsx';
import { FilterBar, FilterChip, ToggleChip } from '../ui/filter-bar.tsx';
import { foreignToPlain } from '../ui/foreign-text.logic.ts';
import { ForeignText } from '../ui/foreign-text.tsx';
import { Input } from '../ui/input.tsx';
import { PhaseMark } from '../ui/phase-mark.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { exactTime } from '../ui/time.logic.ts';
import { useVerdictText } from './strings.ts';

const TYPING_MS = 200;
const EVERY = '*';
const PHASES = ['guard', 'judge'];

/** Text that is taken over when the typing rests. */
function TextFilter(props: { value: string; onChange: (text: string) => void }) {
  const t = useVerdictText();
  const [text, setText] = useState(props.value);
  const { value, onChange } = props;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <Input
      icon={Search}
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="min-w-32 flex-[0_1_17rem]"
    />
  );
}

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
  const say = (seconds: number) => exactTime(seconds * 1000, language);
  if (search.from !== undefined && search.to !== undefined) {
    return t('range.between', { from: say(search.from), to: say(search.to) });
  }
  return search.from === undefined
    ? t('range.to', { to: say(search.to ?? 0) })
    : t('range.from', { from: say(search.from) });
}

/** What is shown: all of it stands in the address too. */
export function VerdictFilters(props: {
  search: VerdictSearch;
  onChange: (change: Partial<Record<keyof VerdictSearch, unknown>>) => void;
}) {
  const t = useVerdictText();
  const language = useLanguage();
  const { search, onChange } = props;
  return (
    <FilterBar label={t('filters')}>
      <TextFilter value={search.text ?? ''} onChange={(text) => onChange({ text })} />
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
      {search.phase !== undefined && !PHASES.includes(search.phase) && (
        <FilterChip name={t('phase')} onClear={() => onChange({ phase: undefined })}>
          {foreignToPlain(search.phase)}
        </FilterChip>
      )}
      {search.rule !== undefined && (
        <FilterChip name={t('rule')} onClear={() => onChange({ rule: undefined })}>
          <ForeignText mono text={search.rule} limit={200} />
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
