import { useNavigate, useSearch } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { PendingStrip } from '../../app/approvals/pending-strip.tsx';
import { readVerdictSearch, verdictFilter } from '../../app/links.ts';
import { rpc } from '../../rpc/client.ts';
import { useConnection } from '../../rpc/connection.store.ts';
import { useSubscription } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { IndexLead } from '../../verdicts/index-lead.tsx';
import { FolderProblem, NoVerdicts } from '../../verdicts/index-states.tsx';
import { VerdictDetail } from '../../verdicts/verdict-detail.tsx';
import { VerdictFilters } from '../../verdicts/verdict-filters.tsx';
import { loadNewest, setFilter, setPaused, takeLive, useLive } from './live.store.ts';
import { useLiveText } from './strings.ts';
import { VerdictList } from './verdict-list.tsx';

/** Space belongs to what has the focus when that can be pressed or typed into. */
function spaceIsTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, button, a, [role=dialog], [role=menu], [role=listbox], [role=option]') !==
      null
  );
}

function usePauseKey(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey || spaceIsTaken(event.target)) return;
      event.preventDefault();
      if (!event.repeat) setPaused(!useLive.getState().paused);
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function PauseButton() {
  const t = useLiveText();
  const paused = useLive((live) => live.paused);
  const lost = useConnection((connection) => connection.state === 'lost');
  const sign = lost
    ? 'size-1.5 rounded-[1px] bg-control'
    : paused
      ? 'size-1.5 rounded-[1px] bg-ask'
      : 'size-1.5 rounded-full bg-allow';
  return (
    <>
      <span role="status" className="inline-flex items-center gap-1.5 text-xs text-soft">
        <span aria-hidden className={sign} />
        {lost ? t('stopped') : paused ? t('paused') : t('flowing')}
      </span>
      <Button size="sm" icon={paused ? Play : Pause} onClick={() => setPaused(!paused)}>
        {paused ? t('resume') : t('pause')}
        <Kbd>{t('space')}</Kbd>
      </Button>
    </>
  );
}

/** The verdict stream as it happens (panel page, "Live"). */
export function LivePage() {
  const t = useLiveText();
  const navigate = useNavigate();
  const search = readVerdictSearch(useSearch({ strict: false }));
  const key = JSON.stringify(search);
  const { list, index, loading, problem, open } = useLive();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the search
  useEffect(() => setFilter(verdictFilter(search)), [key]);
  useSubscription(rpc.audit.live, () => (list.lastSeq === null ? {} : { after: list.lastSeq }), takeLive);
  usePauseKey();

  const change = useCallback(
    (values: Record<string, unknown>) => {
      void navigate({
        to: '/live',
        search: (before: object) => readVerdictSearch({ ...before, ...values }),
        replace: true,
      });
    },
    [navigate],
  );

  const empty = !loading && !problem && list.length === 0;
  return (
    <>
      <PageHeader title={t('title')} lead={<IndexLead index={index} />}>
        <PauseButton />
      </PageHeader>
      <PendingStrip />
      <VerdictFilters search={search} onChange={change} />
      <FolderProblem index={index} />
      <div className="relative flex min-h-0 flex-1">
        {problem && list.length === 0 ? (
          <div className="flex-1">
            <ErrorState problem={problem} onRetry={() => void loadNewest()} />
          </div>
        ) : loading ? (
          <div className="flex-1">
            <SkeletonRows rows={16} />
          </div>
        ) : empty ? (
          <div className="flex-1">
            <NoVerdicts
              index={index}
              filtered={Object.keys(search).length > 0}
              onClear={() => change(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])))}
            />
          </div>
        ) : (
          <VerdictList />
        )}
        {open && <VerdictDetail key={open.seq} row={open} onClose={() => useLive.setState({ open: null })} />}
      </div>
    </>
  );
}
