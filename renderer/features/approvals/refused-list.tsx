import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { AutonomyLevel } from '../../../shared/domain/capability.ts';
import type { DecisionRow } from '../../../shared/domain/decision.ts';
import { RefusalCard } from '../../app/line/refusal-card.tsx';
import { StageMark } from '../../app/line/stage-mark.tsx';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section, SidePanel } from '../../ui/side-panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useUiText } from '../../ui/strings.ts';
import { Table, Td, Th, Tr } from '../../ui/table.tsx';
import { useApprovalsText } from './strings.ts';

const PAGE = 100;

function RefusedDetail(props: { row: DecisionRow; onClose: () => void }) {
  const t = useApprovalsText();
  const ui = useUiText();
  const { row } = props;
  const levels: readonly string[] = ['ReadOnly', 'Supervised', 'Full'] satisfies AutonomyLevel[];
  return (
    <SidePanel onClose={props.onClose} title={<ForeignText mono text={row.executor} limit={120} />}>
      <div className="mb-4">
        <RefusalCard stage={row.stage} rule={row.rule} />
      </div>
      <Section title={t('detail.facts')}>
        <dl className="grid grid-cols-[6rem_1fr] gap-y-0.5">
          <dt className="text-faint">{t('col.when')}</dt>
          <dd>
            <RelativeTime ms={row.at} />
          </dd>
          <dt className="text-faint">{t('col.who')}</dt>
          <dd className="wrap-anywhere">
            <ForeignText text={`${row.channel} / ${row.sender_id}`} limit={400} />
          </dd>
          {row.level !== null && (
            <>
              <dt className="text-faint">{t('detail.level')}</dt>
              <dd>{levels.includes(row.level) ? ui(row.level as AutonomyLevel) : row.level}</dd>
            </>
          )}
          {row.capability !== null && (
            <>
              <dt className="text-faint">{t('line.class')}</dt>
              <dd className="wrap-anywhere">
                <ForeignText mono text={row.capability} limit={400} />
              </dd>
            </>
          )}
          {row.target !== null && (
            <>
              <dt className="text-faint">{t('detail.target')}</dt>
              <dd className="max-h-40 overflow-y-auto wrap-anywhere">
                <ForeignText mono text={row.target} limit={20_000} />
              </dd>
            </>
          )}
          {row.error !== null && (
            <>
              <dt className="text-faint">{t('detail.error')}</dt>
              <dd className="text-deny wrap-anywhere">
                <ForeignText text={row.error} />
              </dd>
            </>
          )}
        </dl>
      </Section>
    </SidePanel>
  );
}

/** What a rule refused before anyone was asked, each a card that says why (pipeline page, "Approvals"). */
export function RefusedList() {
  const t = useApprovalsText();
  const first = useQuery(rpc.line.decisions, { limit: PAGE, decision: 'denied' });
  const [older, setOlder] = useState<{ rows: DecisionRow[]; more: boolean }>({ rows: [], more: true });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  if (first.problem && !first.data) return <ErrorState problem={first.problem} onRetry={first.refetch} />;
  if (!first.data) return <SkeletonRows rows={10} />;
  const rows = [...first.data.rows, ...older.rows.filter((row) => !first.data?.rows.some((one) => one.id === row.id))];
  const more = older.rows.length === 0 ? first.data.more : older.more;
  const shown = rows.find((row) => row.id === open);

  async function loadOlder() {
    const last = rows.at(-1);
    if (!last) return;
    try {
      const page = await rpc.line.decisions({ limit: PAGE, decision: 'denied', before: last.id });
      setOlder((now) => ({ rows: [...now.rows, ...page.rows], more: page.more }));
      setProblem(null);
    } catch (error) {
      setProblem(toProblem(error));
    }
  }

  return (
    <div className="relative flex min-h-0 flex-1">
      <div className="@container min-h-0 min-w-0 flex-1 overflow-y-auto">
        {first.data.problem !== null && (
          <p role="alert" className="border-b border-line bg-deny-soft px-4 py-2 wrap-anywhere">
            <ForeignText text={first.data.problem} />
          </p>
        )}
        {rows.length === 0 && first.data.problem === null && (
          <Empty icon={ShieldCheck} title={t('empty.refused')}>
            {t('empty.refusedText')}
          </Empty>
        )}
        {rows.length > 0 && (
          <Table label={t('refusedTable')} className="table-fixed">
            <thead>
              <tr>
                <Th className="w-32">{t('col.when')}</Th>
                <Th className="w-28">{t('col.stage')}</Th>
                <Th className="w-40">{t('col.executor')}</Th>
                <Th>{t('col.what')}</Th>
                <Th className="w-56 @max-[56rem]:hidden">{t('col.rule')}</Th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Tr key={row.id} selected={row.id === open} data-decision={row.id} onClick={() => setOpen(row.id)}>
                  <Td className="truncate text-xs text-soft">
                    <RelativeTime ms={row.at} />
                  </Td>
                  <Td>
                    <StageMark stage={row.stage} />
                  </Td>
                  <Td className="truncate">
                    <button
                      type="button"
                      aria-expanded={row.id === open}
                      onClick={() => setOpen(row.id)}
                      className="max-w-full truncate rounded-sm text-left"
                    >
                      <ForeignText mono text={row.executor} limit={120} />
                    </button>
                  </Td>
                  <Td className="truncate">
                    {row.capability !== null && (
                      <ForeignText mono text={row.capability} limit={120} className="mr-2 text-soft" />
                    )}
                    {row.target !== null && <ForeignText mono text={row.target} limit={240} />}
                  </Td>
                  <Td className="truncate text-faint @max-[56rem]:hidden">
                    <ForeignText mono text={row.rule} limit={200} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
        <div className="flex items-center gap-3 px-4 py-3 text-xs text-faint">
          {more && (
            <Button size="sm" onClick={() => void loadOlder()}>
              {t('more')}
            </Button>
          )}
          {rows.length > 0 && t('kept')}
        </div>
        {problem && <ErrorStrip problem={problem} onRetry={() => void loadOlder()} />}
      </div>
      {shown && <RefusedDetail key={shown.id} row={shown} onClose={() => setOpen(null)} />}
    </div>
  );
}
