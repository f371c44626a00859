import { useNavigate, useSearch } from '@tanstack/react-router';
import { FolderX, SearchX, TriangleAlert, Waypoints } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import type { TurnsState } from '../../../shared/rpc/turns.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { readTurnsSearch, turnFilter } from '../../app/links.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Unreadable } from '../../verdicts/index-lead.tsx';
import { useTurnsText } from './strings.ts';
import { TurnDetail } from './turn-detail.tsx';
import { TurnFilters } from './turn-filters.tsx';
import { TurnList } from './turn-list.tsx';
import { loadNewest, setFilter, takeLive, useTurns } from './turns.store.ts';

function Lead(props: { state: TurnsState | null }) {
  const t = useTurnsText();
  const language = useLanguage();
  const { state } = props;
  if (!state || state.phase === 'starting') return <span role="status">{t('lead.starting')}</span>;
  const turns = state.turns.toLocaleString(language);
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {state.phase === 'reading' && <span role="status">{t('lead.reading', { turns })}</span>}
      {state.phase === 'following' && <span>{t('lead.following', { turns, count: state.turns })}</span>}
      {state.left_out > 0 && <span>{t('leftOut', { turns, count: state.left_out })}</span>}
      {state.unreadable > 0 && <Unreadable index={state} />}
      {state.transcripts && (
        <span>
          {t('transcripts.read', {
            files: state.transcripts.files.toLocaleString(language),
            skipped: state.transcripts.skipped.toLocaleString(language),
            more: state.transcripts.files_left_out.toLocaleString(language),
          })}
        </span>
      )}
    </span>
  );
}

/** A strip over the list when one of the sources cannot be read. */
function Trouble(props: { state: TurnsState | null }) {
  const t = useTurnsText();
  const { state } = props;
  const kind = state?.problem === 'unreadable' || state?.problem === 'failed' ? state.problem : null;
  const detail = kind === null ? (state?.line_problem ?? state?.transcripts?.problem) : state?.detail;
  if (kind === null && detail == null) return null;
  return (
    <div role="alert" className="flex items-start gap-2 border-b border-line bg-deny-soft px-4 py-2">
      <TriangleAlert aria-hidden size={14} className="mt-0.75 shrink-0 text-deny" />
      <div className="min-w-0">
        <p>
          <span className="font-semibold">
            {t(`problem.${kind ?? (state?.line_problem == null ? 'transcripts' : 'line')}`)}
          </span>{' '}
          <span className="text-soft">{t('problem.help')}</span>
        </p>
        {detail != null && (
          <p className="text-xs text-faint wrap-anywhere">
            <ForeignText text={detail} limit={400} />
          </p>
        )}
      </div>
    </div>
  );
}

function Where() {
  const t = useTurnsText();
  const log = useQuery(rpc.app.health, {}).data?.resources.find((each) => each.name === 'turn-log');
  if (!log) return null;
  return (
    <p className="mt-3 text-xs text-faint wrap-anywhere">
      {t('empty.where')} <ForeignText mono text={log.path} />
    </p>
  );
}

/** Turns as they happen, and one of them with its steps (panel page, "Turns"). */
export function TurnsPage() {
  const t = useTurnsText();
  const navigate = useNavigate();
  const search = readTurnsSearch(useSearch({ strict: false }));
  const filter = turnFilter(search);
  const key = JSON.stringify(filter);
  const { rows, state, loading, problem } = useTurns();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filter
  useEffect(() => setFilter(filter), [key]);
  useSubscription(rpc.turns.live, () => ({}), takeLive);

  const change = useCallback(
    (values: Record<string, unknown>, replace = true) => {
      void navigate({
        to: '/turns',
        search: (before: object) => readTurnsSearch({ ...before, ...values }),
        replace,
      });
    },
    [navigate],
  );
  const open = useCallback((turn: string | null) => change({ turn: turn ?? undefined, step: undefined }), [change]);

  const filtered = Object.keys(filter).length > 0;
  const waiting =
    loading || (rows.length === 0 && !problem && state?.phase !== 'following' && state?.phase !== 'failed');
  return (
    <>
      <PageHeader title={t('title')} lead={<Lead state={state} />} />
      <TurnFilters search={search} ready={state?.phase === 'following'} onChange={change} />
      <Trouble state={state} />
      <div className="relative flex min-h-0 flex-1">
        {problem && rows.length === 0 ? (
          <div className="flex-1">
            <ErrorState problem={problem} onRetry={() => void loadNewest()} />
          </div>
        ) : waiting ? (
          <div className="flex-1">
            <SkeletonRows rows={16} />
          </div>
        ) : rows.length === 0 ? (
          <div className="flex-1">
            {filtered ? (
              <Empty
                icon={SearchX}
                title={t('empty.filtered')}
                action={
                  <Button
                    onClick={() => change(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])))}
                  >
                    {t('clearAll')}
                  </Button>
                }
              >
                {t('empty.filteredText')}
              </Empty>
            ) : (
              <Empty icon={state?.problem === 'missing' ? FolderX : Waypoints} title={t('empty.title')}>
                <p>{t('empty.text')}</p>
                <Where />
              </Empty>
            )}
          </div>
        ) : (
          <TurnList open={search.turn ?? null} onOpen={open} />
        )}
        {search.turn !== undefined && (
          <TurnDetail
            key={search.turn}
            turnKey={search.turn}
            step={search.step}
            onStep={(step) => change({ step })}
            onClose={() => open(null)}
          />
        )}
      </div>
    </>
  );
}
