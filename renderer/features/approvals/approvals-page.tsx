import { useNavigate, useSearch } from '@tanstack/react-router';
import { Hand } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useApprovals } from '../../app/approvals/approvals.store.ts';
import { type ApprovalsSearch, readApprovalsSearch } from '../../app/links.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ApprovalCardView } from './approval-card.tsx';
import { ApprovalsProblem } from './approvals-problem.tsx';
import { DecidedList } from './decided-list.tsx';
import { NotifyOffer } from './notify-offer.tsx';
import { GuardProvider } from './press-guard.tsx';
import { RefusedList } from './refused-list.tsx';
import { Silences } from './silences.tsx';
import { useApprovalsText } from './strings.ts';

function Waiting(props: { card: string | undefined }) {
  const t = useApprovalsText();
  const { cards, pending, problem, failure } = useApprovals();
  const box = useRef<HTMLDivElement>(null);
  const tokens = useMemo(() => cards?.map((card) => card.token) ?? [], [cards]);
  if (failure && cards === null) {
    return (
      <ErrorState problem={failure}>
        <p className="mt-2 text-soft">{t('stopped.title')}</p>
      </ErrorState>
    );
  }
  if (cards === null) return <SkeletonRows rows={6} />;
  return (
    <div ref={box} data-testid="cards" className="min-h-0 flex-1 overflow-y-auto">
      {problem !== null && <ApprovalsProblem text={problem} />}
      {cards.length === 0 && problem === null && (
        <Empty icon={Hand} title={t('empty.title')}>
          {t('empty.text')}
        </Empty>
      )}
      <GuardProvider cards={tokens} box={box}>
        <ul data-guard aria-label={t('cards')} className="mx-auto flex max-w-196 flex-col gap-3 p-4">
          {cards.map((card) => (
            <li key={card.token}>
              <ApprovalCardView card={card} marked={card.token === props.card} />
            </li>
          ))}
          {pending > cards.length && (
            <li className="text-center text-xs text-faint">{t('notShown', { count: pending - cards.length })}</li>
          )}
        </ul>
      </GuardProvider>
    </div>
  );
}

/** What waits for a person, what was decided, and what rules refused (ui page, "Approvals"). */
export function ApprovalsPage() {
  const t = useApprovalsText();
  const navigate = useNavigate();
  const search = readApprovalsSearch(useSearch({ strict: false }));
  const view = search.view ?? 'waiting';
  const show = (next: 'waiting' | 'decided' | 'refused') => {
    const to: ApprovalsSearch = next === 'waiting' ? {} : { view: next };
    void navigate({ to: '/approvals', search: to, replace: true });
  };
  return (
    <>
      <PageHeader title={t('title')} lead={<span className="max-[1180px]:hidden">{t('lead')}</span>}>
        <Silences />
        <NotifyOffer />
        <Segmented
          size="sm"
          label={t('view')}
          value={view}
          onChange={show}
          options={(['waiting', 'decided', 'refused'] as const).map((value) => ({ value, label: t(`view.${value}`) }))}
        />
      </PageHeader>
      {view === 'waiting' && <Waiting card={search.card} />}
      {view === 'decided' && <DecidedList card={search.card} />}
      {view === 'refused' && <RefusedList />}
    </>
  );
}
