import { Coffee } from 'lucide-react';
import { useState } from 'react';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { JournalProblem } from './journal-problem.tsx';
import { ProposalDetail } from './proposal-detail.tsx';
import { ProposalTable } from './proposal-table.tsx';
import { useProposalsText } from './strings.ts';

/** What was put off today and waits for an answer (constitution page, section 4). */
export function DigestView() {
  const t = useProposalsText();
  const language = useLanguage();
  const [open, setOpen] = useState<number | null>(null);
  const { data, problem, loading, refetch } = useQuery(rpc.proposals.digest, {});
  useSubscription(rpc.proposals.changed, () => ({}), refetch);
  const shown = data?.rows.find(({ id }) => id === open);
  const day = data && new Date(`${data.day}T12:00:00`).toLocaleDateString(language, { dateStyle: 'long' });
  return (
    <div className="relative flex min-h-0 flex-1">
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        {loading && <SkeletonRows rows={6} />}
        {problem && !data && <ErrorState problem={problem} onRetry={refetch} />}
        {problem && data && <ErrorStrip problem={problem} onRetry={refetch} />}
        {data && data.problem !== null && <JournalProblem text={data.problem} />}
        {data && day && data.rows.length > 0 && (
          <>
            <p className="px-4 py-2 text-xs text-faint">{t('digest.lead', { day })}</p>
            <ProposalTable label={t('view.digest')} rows={data.rows} open={open} onOpen={setOpen} />
          </>
        )}
        {data && data.rows.length === 0 && data.problem === null && (
          <Empty icon={Coffee} title={t('empty.digest')}>
            {t('empty.digestText')}
          </Empty>
        )}
      </div>
      {shown && <ProposalDetail key={shown.id} row={shown} onClose={() => setOpen(null)} onAnswered={refetch} />}
    </div>
  );
}
