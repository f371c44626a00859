import { History } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { useApprovals } from '../../app/approvals/approvals.store.ts';
import { questionOf, useCardText } from '../../app/approvals/strings.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Table, Td, Th, Tr } from '../../ui/table.tsx';
import { ApprovalsProblem } from './approvals-problem.tsx';
import { DecidedBy } from './decided-by.tsx';
import { DecidedDetail } from './decided-detail.tsx';
import { StatusMark } from './status-mark.tsx';
import { useApprovalsText } from './strings.ts';

const SHOWN = 200;

/** What was decided, newest first, also by time-out and by callers who left. */
export function DecidedList(props: { card: string | undefined }) {
  const t = useApprovalsText();
  const ask = useCardText();
  const list = useQuery(rpc.approvals.list, { status: 'resolved', limit: SHOWN });
  const version = useApprovals((approvals) => approvals.version);
  const [open, setOpen] = useState<string | null>(props.card ?? null);
  const { refetch, data } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: something was decided, so the list is another
  useEffect(() => refetch(), [version]);

  if (list.problem && !data) return <ErrorState problem={list.problem} onRetry={refetch} />;
  if (!data) return <SkeletonRows rows={10} />;
  const shown: ApprovalCard | undefined = data.cards.find((card) => card.token === open);
  return (
    <div className="relative flex min-h-0 flex-1">
      <div className="@container min-h-0 min-w-0 flex-1 overflow-y-auto">
        {list.problem && <ErrorStrip problem={list.problem} onRetry={refetch} />}
        {data.problem !== null && <ApprovalsProblem text={data.problem} onRetry={refetch} />}
        {data.cards.length === 0 && data.problem === null && (
          <Empty icon={History} title={t('empty.decided')}>
            {t('empty.decidedText')}
          </Empty>
        )}
        {data.cards.length > 0 && (
          <Table label={t('decidedTable')} className="table-fixed">
            <thead>
              <tr>
                <Th className="w-32">{t('col.when')}</Th>
                <Th className="w-28">{t('col.status')}</Th>
                <Th>{t('col.what')}</Th>
                <Th className="w-40 @max-[44rem]:hidden">{t('col.who')}</Th>
                <Th className="w-44 @max-[56rem]:hidden">{t('col.by')}</Th>
              </tr>
            </thead>
            <tbody>
              {data.cards.map((card) => (
                <Tr
                  key={card.token}
                  selected={card.token === open}
                  data-token={card.token}
                  data-status={card.status}
                  onClick={() => setOpen(card.token)}
                >
                  <Td className="truncate text-xs text-soft">
                    <RelativeTime ms={card.decided_ms ?? card.expires_ms} />
                  </Td>
                  <Td>
                    <StatusMark status={card.status} />
                  </Td>
                  <Td className="truncate">
                    <button
                      type="button"
                      aria-expanded={card.token === open}
                      onClick={() => setOpen(card.token)}
                      className="max-w-full truncate rounded-sm text-left"
                    >
                      <span className="mr-2 text-soft">{ask(questionOf(card))}</span>
                      <ForeignText mono text={card.object} limit={240} />
                    </button>
                  </Td>
                  <Td className="truncate @max-[44rem]:hidden">
                    <ForeignText text={`${card.channel} / ${card.sender_id}`} limit={120} />
                  </Td>
                  <Td className="truncate text-soft @max-[56rem]:hidden">
                    <DecidedBy card={card} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
        {data.more && <p className="px-4 py-3 text-xs text-faint">{t('moreThere')}</p>}
      </div>
      {shown && <DecidedDetail key={shown.token} card={shown} onClose={() => setOpen(null)} />}
    </div>
  );
}
