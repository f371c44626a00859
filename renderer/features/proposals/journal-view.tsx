import { Lightbulb, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { FinalDecision, ProposalRow } from '../../../shared/domain/constitution.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { FilterBar, ToggleChip } from '../../ui/filter-bar.tsx';
import { Select } from '../../ui/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { JournalProblem } from './journal-problem.tsx';
import { ProposalDetail } from './proposal-detail.tsx';
import { ProposalTable } from './proposal-table.tsx';
import { DECISIONS, joined } from './proposals.logic.ts';
import { useProposalsText } from './strings.ts';

const PAGE = 100;

interface Filter {
  decision: FinalDecision | 'any';
  open: boolean;
  requests: boolean;
}

function queryOf({ decision, open, requests }: Filter) {
  return {
    limit: PAGE,
    ...(requests ? {} : { flow: 'proactive' as const }),
    ...(decision === 'any' ? {} : { decision }),
    ...(open ? { answered: false } : {}),
  };
}

/** Every evaluation that is kept, newest first. */
export function JournalView() {
  const t = useProposalsText();
  const [filter, setFilter] = useState<Filter>({ decision: 'any', open: false, requests: false });
  const [older, setOlder] = useState<{ of: string; rows: ProposalRow[]; more: boolean } | null>(null);
  const [olderProblem, setOlderProblem] = useState<Problem | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  const query = queryOf(filter);
  const key = JSON.stringify(query);
  const { data, problem, loading, refetch } = useQuery(rpc.proposals.list, query);
  useSubscription(rpc.proposals.changed, () => ({}), refetch);

  const mine = older?.of === key ? older : null;
  const rows = joined(data?.rows ?? [], mine?.rows ?? []);
  const more = mine === null ? (data?.more ?? false) : mine.more;
  const shown = rows.find(({ id }) => id === open);

  async function loadOlder() {
    const before = rows.at(-1)?.id;
    if (before === undefined) return;
    try {
      const page = await rpc.proposals.list({ ...query, before });
      setOlderProblem(null);
      setOlder({ of: key, rows: [...(mine?.rows ?? []), ...page.rows], more: page.more });
    } catch (error) {
      setOlderProblem(toProblem(error));
    }
  }

  function answered(row: ProposalRow) {
    refetch();
    // Older pages are not asked for again.
    if (older) {
      void rpc.proposals.list({ ...query, before: row.id + 1, limit: 1 }).then(
        (page) => {
          const [fresh] = page.rows;
          if (fresh?.id === row.id) {
            setOlder((now) => now && { ...now, rows: now.rows.map((one) => (one.id === row.id ? fresh : one)) });
          }
        },
        () => undefined,
      );
    }
  }

  return (
    <>
      <FilterBar label={t('filter.label')}>
        <Select
          label={t('filter.decision')}
          value={filter.decision}
          onChange={(decision) => setFilter({ ...filter, decision })}
          options={[
            { value: 'any' as const, label: t('filter.any') },
            ...DECISIONS.map((value) => ({ value, label: t(`decision.${value}`) })),
          ]}
        />
        <ToggleChip on={filter.open} onChange={(on) => setFilter({ ...filter, open: on })}>
          {t('filter.open')}
        </ToggleChip>
        <ToggleChip on={filter.requests} onChange={(on) => setFilter({ ...filter, requests: on })}>
          {t('filter.requests')}
        </ToggleChip>
      </FilterBar>
      {data && data.problem !== null && <JournalProblem text={data.problem} />}
      {problem && data && <ErrorStrip problem={problem} onRetry={refetch} />}
      <div className="relative flex min-h-0 flex-1">
        <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
          {loading && <SkeletonRows rows={10} />}
          {problem && !data && <ErrorState problem={problem} onRetry={refetch} />}
          {rows.length > 0 && <ProposalTable label={t('view.journal')} rows={rows} open={open} onOpen={setOpen} />}
          {data && rows.length === 0 && data.problem === null && <Nothing filter={filter} />}
          {olderProblem && <ErrorStrip problem={olderProblem} onRetry={() => void loadOlder()} />}
          {more && (
            <div className="flex justify-center py-3">
              <Button onClick={() => void loadOlder()}>{t('more')}</Button>
            </div>
          )}
        </div>
        {shown && (
          <ProposalDetail key={shown.id} row={shown} onClose={() => setOpen(null)} onAnswered={() => answered(shown)} />
        )}
      </div>
    </>
  );
}

function Nothing(props: { filter: Filter }) {
  const t = useProposalsText();
  const { decision, open } = props.filter;
  if (decision !== 'any' || open) return <Empty icon={SearchX} title={t('empty.match')} />;
  return (
    <Empty icon={Lightbulb} title={t('empty.journal')}>
      {t('empty.journalText')}
    </Empty>
  );
}
