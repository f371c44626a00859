import { BellOff } from 'lucide-react';
import { useEffect } from 'react';
import type { Silence } from '../../../shared/domain/approval.ts';
import { useApprovals } from '../../app/approvals/approvals.store.ts';
import { useProblemText } from '../../app/i18n/problem-text.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { shortPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Popover } from '../../ui/popover.tsx';
import { showToast } from '../../ui/toast.store.ts';
import { useApprovalsText } from './strings.ts';

/** What the person chose not to be asked again this session, and the way back. Nothing when there is none. */
export function Silences() {
  const t = useApprovalsText();
  const problemText = useProblemText();
  const query = useQuery(rpc.approvals.silenced, {});
  const version = useApprovals((approvals) => approvals.version);
  const { refetch } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision may have made one
  useEffect(() => refetch(), [version]);
  const silences = query.data?.silences ?? [];
  if (silences.length === 0) return null;

  async function lift(silence: Silence) {
    try {
      await rpc.approvals.unsilence({ id: silence.id });
      showToast({ text: t('silences.lifted'), detail: shortPlain(`${silence.capability} ${silence.target}`) });
    } catch (error) {
      showToast({ tone: 'error', text: t('silences.failed'), detail: problemText(toProblem(error)).advice });
    }
    refetch();
  }

  return (
    <Popover
      label={t('silences', { count: silences.length })}
      width="28rem"
      trigger={
        <Button size="sm" look="quiet" icon={BellOff}>
          {t('silences', { count: silences.length })}
        </Button>
      }
    >
      <ul>
        {silences.map((silence) => (
          <li key={silence.id} className="flex items-start gap-3 border-b border-line px-3 py-2 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere">
                <ForeignText mono text={silence.capability} limit={200} />{' '}
                <ForeignText mono text={silence.target} limit={400} />
              </p>
              <p className="text-xs text-faint wrap-anywhere">
                <ForeignText text={`${silence.channel} / ${silence.sender_id}`} limit={120} />
                {silence.rejected > 0 && ` · ${t('silences.rejected', { count: silence.rejected })}`}
              </p>
            </div>
            <Button
              size="sm"
              aria-label={t('silences.liftThis', { what: shortPlain(`${silence.capability} ${silence.target}`) })}
              onClick={() => void lift(silence)}
            >
              {t('silences.lift')}
            </Button>
          </li>
        ))}
      </ul>
    </Popover>
  );
}
