import type { ProposalRow } from '../../../shared/domain/constitution.ts';
import { Badge } from '../../ui/badge.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ScoreBar } from '../../ui/score-bar.tsx';
import { Table, Td, Th, Tr } from '../../ui/table.tsx';
import { DecisionMark } from './decision-mark.tsx';
import { useProposalsText } from './strings.ts';

function AnswerBadge(props: { row: ProposalRow }) {
  const t = useProposalsText();
  const { answer } = props.row;
  if (answer === null) return <span className="text-faint">–</span>;
  return <Badge tone={answer === 'publish' ? 'allow' : 'plain'}>{t(`answered.${answer}`)}</Badge>;
}

/** Evaluations as rows; the words of the agent follow its verb. */
export function ProposalTable(props: {
  label: string;
  rows: readonly ProposalRow[];
  open: number | null;
  onOpen: (id: number) => void;
}) {
  const t = useProposalsText();
  return (
    <Table label={props.label} className="table-fixed">
      <thead>
        <tr>
          <Th className="w-28">{t('col.when')}</Th>
          <Th className="w-30">{t('col.decision')}</Th>
          <Th>{t('col.what')}</Th>
          <Th className="w-28">{t('col.fit')}</Th>
          <Th className="w-30 max-[1040px]:hidden">{t('col.answer')}</Th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <Tr
            key={row.id}
            selected={row.id === props.open}
            data-proposal-id={row.id}
            data-decision={row.result.final_decision}
            onClick={() => props.onOpen(row.id)}
          >
            <Td className="truncate text-xs text-soft">
              <RelativeTime ms={row.at} />
            </Td>
            <Td>
              <DecisionMark decision={row.result.final_decision} />
            </Td>
            <Td className="truncate">
              <button
                type="button"
                aria-expanded={row.id === props.open}
                onClick={() => props.onOpen(row.id)}
                className="inset-focus max-w-full truncate rounded-sm text-left"
              >
                <ForeignText text={row.action.kind} mono limit={80} className="mr-2" />
                {row.flow === 'reactive' ? (
                  <span className="text-faint">{t('flow.reactive')}</span>
                ) : (
                  <ForeignText text={row.action.impact || (row.targets[0] ?? '')} limit={240} className="text-soft" />
                )}
              </button>
            </Td>
            <Td>
              <ScoreBar
                score={row.result.terms?.expected_alignment ?? null}
                threshold={row.result.judge?.threshold_used ?? null}
              />
            </Td>
            <Td className="max-[1040px]:hidden">
              <AnswerBadge row={row} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
