import { useNavigate, useSearch } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { type ProposalsSearch, readProposalsSearch } from '../../app/links.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { CalibrationView } from './calibration-view.tsx';
import { DigestView } from './digest-view.tsx';
import { JournalView } from './journal-view.tsx';
import { figure } from './proposals.logic.ts';
import { useProposalsText } from './strings.ts';
import { TelosView } from './telos-view.tsx';
import { UnwantedList } from './unwanted.tsx';

const VIEWS = ['journal', 'digest', 'telos', 'calibration'] as const;

/** What the agent proposed by itself, and the ends that it was weighed against (constitution page). */
export function ProposalsPage() {
  const t = useProposalsText();
  const language = useLanguage();
  const navigate = useNavigate();
  const view = readProposalsSearch(useSearch({ strict: false })).view ?? 'journal';
  const { data, problem, refetch } = useQuery(rpc.proposals.standing, {});
  useSubscription(rpc.proposals.changed, () => ({}), refetch);
  const show = (next: (typeof VIEWS)[number]) => {
    const search: ProposalsSearch = next === 'journal' ? {} : { view: next };
    void navigate({ to: '/proposals', search, replace: true });
  };
  return (
    <>
      <PageHeader title={t('title')} lead={<span className="max-[1180px]:hidden">{t('lead')}</span>}>
        <UnwantedList />
        <Segmented
          size="sm"
          label={t('view')}
          value={view}
          onChange={show}
          options={VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
        />
      </PageHeader>
      {data && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-1.5 text-xs text-soft">
          {data.judge_problem !== null && (
            <TriangleAlert aria-hidden size={13} strokeWidth={1.75} className="shrink-0 text-ask" />
          )}
          {data.judge === null ? (
            <span>{t('standing.noJudge')}</span>
          ) : (
            <span>
              {t('standing.judge', { model: foreignToPlain(data.judge.model), provider: data.judge.provider })}
              {data.judge_problem !== null && (
                <span className="text-ask">
                  {' · '}
                  {t('standing.problem')}: <ForeignText text={data.judge_problem} />
                </span>
              )}
            </span>
          )}
          <span className="text-faint">
            {t('standing.theta', { theta: figure(data.theta, language) })} ·{' '}
            {t('standing.today', { count: data.published_today })},{' '}
            {t('standing.cost', { cost: figure(data.bother_cost, language) })}
          </span>
        </p>
      )}
      {view === 'journal' && <JournalView />}
      {view === 'digest' && <DigestView />}
      {view === 'telos' && <TelosView />}
      {view === 'calibration' && data && <CalibrationView theta={data.theta} />}
      {view === 'calibration' && !data && !problem && <SkeletonRows rows={8} />}
      {view === 'calibration' && !data && problem && <ErrorState problem={problem} onRetry={refetch} />}
    </>
  );
}
