import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText, SearchX } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Act } from '../../../shared/domain/integrity.ts';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import { readAuditSearch, verdictFilter } from '../../app/links.ts';
import { rpc } from '../../rpc/client.ts';
import { useSubscription } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { IndexLead } from '../../verdicts/index-lead.tsx';
import { FolderProblem, NoVerdicts } from '../../verdicts/index-states.tsx';
import { useVerdictText } from '../../verdicts/strings.ts';
import { VerdictDetail } from '../../verdicts/verdict-detail.tsx';
import { ActDetail } from './act-detail.tsx';
import { findRow, liveInput, loadNewest, setSearch, takeLive, useAudit } from './audit.store.ts';
import { AuditFilters, ShowChoice } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import { type Entry, filtersOf, idOf, partsShown } from './entries.logic.ts';
import { ExportButton } from './export-button.tsx';
import { RecordLine } from './record-line.tsx';
import { useAuditText } from './strings.ts';

/** The verdict that the address names, once it is loaded. */
function useNamedRow(seq: number | undefined, loading: boolean): VerdictRow | null {
  const [found, setFound] = useState<VerdictRow | null>(null);
  useEffect(() => {
    if (seq === undefined || loading) return;
    let left = false;
    void findRow(seq).then((row) => {
      if (!left) setFound(row);
    });
    return () => {
      left = true;
    };
  }, [seq, loading]);
  return found?.seq === seq ? found : null;
}

/** Every verdict and every operator act, to search, to prove and to take away (panel page, "Audit"). */
export function AuditPage() {
  const t = useAuditText();
  const words = useVerdictText();
  const navigate = useNavigate();
  const search = readAuditSearch(useSearch({ strict: false }));
  const { row: seq, ...chosen } = search;
  const key = JSON.stringify(chosen);
  const { rows, acts, index, loading, problem } = useAudit();
  const [act, setAct] = useState<Act | null>(null);
  const row = useNamedRow(seq, loading);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what was chosen
  useEffect(() => setSearch(chosen), [key]);
  useSubscription(rpc.audit.live, liveInput, takeLive);

  const change = useCallback(
    (values: Record<string, unknown>) => {
      void navigate({
        to: '/audit',
        search: (before: object) => readAuditSearch({ ...before, ...values }),
        replace: true,
      });
    },
    [navigate],
  );
  const open = useCallback(
    (entry: Entry | null) => {
      setAct(entry?.kind === 'act' ? entry.act : null);
      change({ row: entry?.kind === 'verdict' ? entry.row.seq : undefined });
    },
    [change],
  );

  const { verdicts, hidden } = partsShown(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what was chosen
  const filter = useMemo(() => verdictFilter(search), [key]);
  const filters = filtersOf(search);
  const filtered = Object.keys(filters).length > 0;
  const clear = () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])));
  const openId = act !== null ? `act-${act.id}` : seq === undefined ? null : `verdict-${seq}`;
  return (
    <>
      <PageHeader title={t('title')} lead={<IndexLead index={index} />}>
        <ShowChoice search={search} onChange={change} />
        <ExportButton filter={filter} disabled={!verdicts || rows.length === 0} />
      </PageHeader>
      <RecordLine />
      <AuditFilters search={search} onChange={change} />
      <FolderProblem index={index} />
      {hidden && <p className="border-b border-line px-4 py-1 text-xs text-faint">{t('actsHidden')}</p>}
      <div className="relative flex min-h-0 flex-1">
        {problem && rows.length === 0 ? (
          <div className="flex-1">
            <ErrorState problem={problem} onRetry={() => void loadNewest()} />
          </div>
        ) : loading ? (
          <div className="flex-1">
            <SkeletonRows rows={16} />
          </div>
        ) : rows.length + acts.length === 0 ? (
          <div className="flex-1">
            {search.show === 'acts' ? (
              <Empty
                icon={filtered ? SearchX : ScrollText}
                title={t(filtered ? 'empty.filtered' : 'empty.title')}
                action={filtered && <Button onClick={clear}>{words('clearAll')}</Button>}
              >
                {!filtered && t('empty.text')}
              </Empty>
            ) : (
              <NoVerdicts index={index} filtered={filtered} onClear={clear} />
            )}
          </div>
        ) : (
          <AuditList key={key} open={openId} onOpen={open} />
        )}
        {act !== null && <ActDetail key={idOf({ kind: 'act', act })} act={act} onClose={() => open(null)} />}
        {act === null && row !== null && <VerdictDetail key={row.seq} row={row} onClose={() => open(null)} />}
      </div>
    </>
  );
}
