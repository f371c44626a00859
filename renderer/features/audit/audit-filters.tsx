import { type ActKind, actKindSchema } from '../../../shared/domain/integrity.ts';
import type { AuditSearch } from '../../app/links.ts';
import { readVerdictSearch } from '../../app/links.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { useVerdictText } from '../../verdicts/strings.ts';
import { VerdictFilters } from '../../verdicts/verdict-filters.tsx';
import { ScoreFilter, TimeFilter } from './range-filters.tsx';
import { useAuditText } from './strings.ts';

const EVERY = '*';
type Change = (change: Partial<Record<keyof AuditSearch, unknown>>) => void;

function RuleFilter(props: { value: string | undefined; onChange: (rule: string | undefined) => void }) {
  const t = useAuditText();
  const stats = useQuery(rpc.audit.stats, { range: 'all' });
  const known = stats.data?.by_rule.map(({ rule }) => rule).filter((rule) => rule !== '') ?? [];
  const rules = props.value === undefined || known.includes(props.value) ? known : [props.value, ...known];
  return (
    <Select
      label={t('rule')}
      value={props.value ?? EVERY}
      onChange={(rule) => props.onChange(rule === EVERY ? undefined : rule)}
      options={[
        { value: EVERY, label: t('rule.all') },
        ...[...new Set(rules)].map((rule) => ({ value: rule, label: <ForeignText mono text={rule} limit={60} /> })),
      ]}
      className="max-w-44"
    />
  );
}

/** Verdicts, acts or both. */
export function ShowChoice(props: { search: AuditSearch; onChange: Change }) {
  const t = useAuditText();
  const { show } = props.search;
  return (
    <Segmented
      size="sm"
      label={t('show')}
      value={show ?? 'all'}
      onChange={(value) => props.onChange({ show: value === 'all' ? undefined : value, act: undefined })}
      options={(['all', 'verdicts', 'acts'] as const).map((value) => ({ value, label: t(`show.${value}`) }))}
    />
  );
}

/** What is shown: all of it stands in the address too. */
export function AuditFilters(props: { search: AuditSearch; onChange: Change }) {
  const t = useAuditText();
  const words = useVerdictText();
  const { search, onChange } = props;
  if (search.show !== 'acts') {
    return (
      <VerdictFilters search={readVerdictSearch({ ...search })} onChange={onChange}>
        <RuleFilter value={search.rule} onChange={(rule) => onChange({ rule })} />
        <TimeFilter search={search} onChange={onChange} />
        <ScoreFilter search={search} onChange={onChange} />
      </VerdictFilters>
    );
  }
  return (
    <FilterBar label={words('filters')}>
      <Select
        label={t('actKind')}
        value={search.act ?? EVERY}
        onChange={(act) => onChange({ act: act === EVERY ? undefined : act })}
        options={[
          { value: EVERY, label: t('actKind.all') },
          ...actKindSchema.options.map((kind: ActKind) => ({ value: kind, label: t(`act.${kind}`) })),
        ]}
        className="min-w-40"
      />
      <TimeFilter search={search} onChange={onChange} />
    </FilterBar>
  );
}
