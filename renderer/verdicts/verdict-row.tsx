import { type CSSProperties, memo } from 'react';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import { useLanguage } from '../app/i18n/i18n.ts';
import { cx } from '../ui/cx.ts';
import { ForeignText } from '../ui/foreign-text.tsx';
import { OutcomeMark } from '../ui/outcome-mark.tsx';
import { PhaseMark } from '../ui/phase-mark.tsx';
import { ScoreBar } from '../ui/score-bar.tsx';
import { useUiText } from '../ui/strings.ts';
import { clockTime } from '../ui/time.logic.ts';
import { FROM_PHASE, FROM_RULE, FROM_SCORE, GRID } from './columns.ts';
import { useVerdictText } from './strings.ts';

const CELL_LIMIT = 240;

function Time(props: { ts: number | null; now: number }) {
  const t = useVerdictText();
  const language = useLanguage();
  if (props.ts === null) return <span className="text-faint">{t('noTime')}</span>;
  const { day, time } = clockTime(props.ts * 1000, props.now, language);
  return (
    <span className="font-mono text-xs whitespace-nowrap">
      {day !== null && <span className="text-faint">{day} </span>}
      {time}
    </span>
  );
}

/** One verdict. The grid around it has the focus; a click opens its details. */
export const VerdictLine = memo(function VerdictLine(props: {
  row: VerdictRow;
  now: number;
  threshold: number | null;
  current: boolean;
  open: boolean;
  position: number;
  style: CSSProperties;
  onOpen: (row: VerdictRow) => void;
}) {
  const t = useVerdictText();
  const ui = useUiText();
  const { row } = props;
  const outcome = row.approved ? 'allowed' : 'denied';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the grid, which has the focus
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list stand at places of their own, which table rows cannot
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its current row
    <div
      id={`verdict-${row.seq}`}
      role="row"
      aria-rowindex={props.position + 2}
      aria-selected={props.current}
      data-seq={row.seq}
      data-outcome={row.approved ? 'approved' : 'denied'}
      style={props.style}
      onClick={() => props.onOpen(row)}
      className={cx(
        GRID,
        'absolute inset-x-0 top-0 border-b border-line select-none',
        props.open ? 'bg-selected' : 'hover:bg-hover',
        props.current && 'shadow-[inset_4px_0_0_var(--accent)]',
      )}
    >
      <Cell>
        <Time ts={row.ts} now={props.now} />
      </Cell>
      <Cell>
        <OutcomeMark outcome={outcome} word={ui(row.approved ? 'approved' : 'denied')} quiet={row.approved} />
      </Cell>
      <Cell>
        {row.executor === '' ? (
          <span className="text-faint">{t('noExecutor')}</span>
        ) : (
          <ForeignText mono text={row.executor} limit={CELL_LIMIT} />
        )}
      </Cell>
      <Cell>
        {row.intent === '' ? (
          <span className="text-faint">{t('noIntent')}</span>
        ) : (
          <ForeignText text={row.intent} limit={CELL_LIMIT} />
        )}
      </Cell>
      <Cell className={FROM_SCORE}>
        {row.blocked_by === 'guard' ? (
          <span className="text-faint" aria-hidden>
            –
          </span>
        ) : (
          <ScoreBar score={row.score} threshold={props.threshold} />
        )}
      </Cell>
      <Cell className={FROM_PHASE}>{row.blocked_by !== null && <PhaseMark phase={row.blocked_by} />}</Cell>
      <Cell className={FROM_RULE}>
        {row.rule !== null && <ForeignText mono text={row.rule} limit={CELL_LIMIT} className="text-faint" />}
      </Cell>
    </div>
  );
});

function Cell(props: { className?: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the row
    // biome-ignore lint/a11y/useFocusableInteractive: see the row
    <div role="gridcell" className={cx('h-full min-w-0 items-center', props.className ?? 'flex')}>
      <span className="min-w-0 flex-1 truncate [&>*]:align-middle">{props.children}</span>
    </div>
  );
}
