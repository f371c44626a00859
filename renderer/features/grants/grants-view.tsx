import { KeyRound, Plus, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import type { Sort } from '../../ui/table.tsx';
import { ContainedGrants } from './contained-grants.tsx';
import { filterGrants, type GrantColumn, type GrantFilter, isFiltered, NO_FILTER, sortGrants } from './grants.logic.ts';
import { GrantsFilter } from './grants-filter.tsx';
import { GrantsProblem } from './grants-problem.tsx';
import { GrantsTable } from './grants-table.tsx';
import { NewGrant } from './new-grant.tsx';
import { keepShown, NOTHING_SELECTED } from './selection.logic.ts';
import { SelectionBar } from './selection-bar.tsx';
import { StaleGrants } from './stale-grants.tsx';
import { useGrantsText } from './strings.ts';
import { useGrants } from './use-grants.ts';
import { useRevoke } from './use-revoke.ts';

/** Rows drawn at first and added on demand: a file may hold very many. */
const STEP = 200;
const NO_GRANTS: readonly GrantView[] = [];

export function GrantsView(props: { start: GrantFilter }) {
  const t = useGrantsText();
  const [filter, setFilter] = useState(props.start);
  const [sort, setSort] = useState<Sort<GrantColumn>>({ column: 'granted', direction: 'down' });
  const [selected, setSelected] = useState(NOTHING_SELECTED);
  const [limit, setLimit] = useState(STEP);
  const [making, setMaking] = useState(false);
  const { data, problem, loading, now, refetch } = useGrants(filter.all);
  const { busy, revoke } = useRevoke(refetch);

  const grants = data?.grants ?? NO_GRANTS;
  const matching = sortGrants(filterGrants(grants, filter, now), sort, now);
  const shown = matching.slice(0, limit);
  const selection = keepShown(
    selected,
    shown.map((grant) => grant.id),
  );
  const chosen = shown.filter((grant) => selection.ids.has(grant.id));
  const fileProblem = data?.problem ?? null;

  return (
    <div className="relative flex h-full min-h-0 flex-col">
      <PageHeader title={t('title')} lead={t('lead')}>
        <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
          {t('new')}
        </Button>
      </PageHeader>
      <GrantsFilter
        grants={grants}
        shown={matching.length}
        known={data !== undefined && fileProblem === null}
        now={now}
        filter={filter}
        onChange={setFilter}
      />
      {problem && data && (
        <div className="px-4 py-2">
          <ErrorStrip problem={problem} onRetry={refetch} />
        </div>
      )}
      {fileProblem !== null && <GrantsProblem text={fileProblem} onRetry={refetch} />}
      <StaleGrants listed={data} onRevoke={(unused) => void revoke(unused, 'stale')} />
      <ContainedGrants grants={grants} now={now} onRevoke={(contained) => void revoke(contained)} />
      <div className="min-h-0 flex-1 overflow-auto">
        {loading && <SkeletonRows />}
        {!data && problem && <ErrorState problem={problem} onRetry={refetch} />}
        {data && shown.length > 0 && (
          <GrantsTable
            grants={shown}
            now={now}
            sort={sort}
            onSort={setSort}
            selection={selection}
            onSelect={setSelected}
            busy={busy}
            onRevoke={(grant) => void revoke([grant])}
          />
        )}
        {matching.length > shown.length && (
          <div className="flex justify-center py-3">
            <Button onClick={() => setLimit(limit + STEP)}>
              {t('more', { count: Math.min(STEP, matching.length - shown.length) })}
            </Button>
          </div>
        )}
        {data && shown.length === 0 && fileProblem === null && (
          <NothingShown
            filtered={isFiltered(filter) && grants.length > 0}
            ended={filter.all}
            onClear={() => setFilter({ ...NO_FILTER, all: filter.all })}
            onShowEnded={() => setFilter({ ...NO_FILTER, all: true })}
            onNew={() => setMaking(true)}
          />
        )}
      </div>
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          onRevoke={() => {
            setSelected(NOTHING_SELECTED);
            void revoke(chosen);
          }}
          onClear={() => setSelected(NOTHING_SELECTED)}
        />
      )}
      <NewGrant open={making} onClose={() => setMaking(false)} grants={grants} onMade={refetch} />
    </div>
  );
}

function NothingShown(props: {
  filtered: boolean;
  ended: boolean;
  onClear: () => void;
  onShowEnded: () => void;
  onNew: () => void;
}) {
  const t = useGrantsText();
  if (props.filtered) {
    return (
      <Empty
        icon={SearchX}
        title={t('noMatch.title')}
        action={<Button onClick={props.onClear}>{t('filter.clear')}</Button>}
      >
        {t('noMatch.text')}
      </Empty>
    );
  }
  return (
    <Empty
      icon={KeyRound}
      title={t(props.ended ? 'empty.title' : 'empty.active')}
      action={
        <>
          <Button icon={Plus} onClick={props.onNew}>
            {t('new')}
          </Button>
          {!props.ended && (
            <Button look="quiet" onClick={props.onShowEnded}>
              {t('showAll')}
            </Button>
          )}
        </>
      }
    >
      {t('empty.text')}
    </Empty>
  );
}
