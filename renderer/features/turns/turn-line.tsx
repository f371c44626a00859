import { type CSSProperties, memo, type ReactNode } from 'react';
import type { TurnRow } from '../../../shared/domain/turn.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { clockTime } from '../../ui/time.logic.ts';
import { FROM_SENDER, FROM_STEPS, GRID, OUTCOME_WORD } from './columns.ts';
import { useTurnsText } from './strings.ts';
import { tookText } from './turn-list.logic.ts';
import { TurnMark } from './turn-mark.tsx';

const CELL_LIMIT = 240;

/** Who asked, over which channel; what nobody says is said to be unknown. */
export function By(props: { row: Pick<TurnRow, 'channel' | 'sender'> }) {
  const t = useTurnsText();
  const { channel, sender } = props.row;
  if (channel === null && sender === null) return <span className="text-faint">{t('unknownSender')}</span>;
  return (
    <>
      {channel !== null && <ForeignText text={channel} limit={60} className="text-faint" />}
      {channel !== null && sender !== null && <span className="text-faint"> / </span>}
      {sender !== null && <ForeignText text={sender} limit={80} />}
    </>
  );
}

/** One turn. The grid around it has the focus; a click opens it. */
export const TurnLine = memo(function TurnLine(props: {
  row: TurnRow;
  now: number;
  current: boolean;
  open: boolean;
  position: number;
  style: CSSProperties;
  onOpen: (row: TurnRow) => void;
}) {
  const t = useTurnsText();
  const language = useLanguage();
  const { row } = props;
  const clock = row.start_ms === null ? null : clockTime(row.start_ms, props.now, language);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the grid, which has the focus
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list stand at places of their own, which table rows cannot
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its current row
    <div
      id={`turn-${row.key}`}
      role="row"
      aria-rowindex={props.position + 2}
      aria-selected={props.current}
      data-turn={row.key}
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
        {clock === null ? (
          <span className="text-faint">{t('noTime')}</span>
        ) : (
          <span className="font-mono text-xs whitespace-nowrap">
            {clock.day !== null && <span className="text-faint">{clock.day} </span>}
            {clock.time}
          </span>
        )}
      </Cell>
      <Cell>
        <TurnMark row={row} now={props.now} word={OUTCOME_WORD} />
      </Cell>
      <Cell>
        {row.intent === '' ? (
          <span className="text-faint">{t('noIntent')}</span>
        ) : (
          <ForeignText text={row.intent} limit={CELL_LIMIT} />
        )}
      </Cell>
      <Cell className={FROM_SENDER}>
        <By row={row} />
      </Cell>
      <Cell className={FROM_STEPS}>
        <span>{t('steps', { count: row.steps })}</span>
        {row.refused > 0 && <span className="ml-1.5 text-deny">{t('refused', { count: row.refused })}</span>}
        {row.refused === 0 && row.failed > 0 && (
          <span className="ml-1.5 text-ask">{t('failed', { count: row.failed })}</span>
        )}
      </Cell>
      <Cell className={FROM_SENDER}>
        <span className="font-mono text-xs text-faint">{tookText(row.start_ms, row.end_ms, language) ?? '–'}</span>
      </Cell>
    </div>
  );
});

function Cell(props: { className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the row
    // biome-ignore lint/a11y/useFocusableInteractive: see the row
    <div role="gridcell" className={cx('h-full min-w-0 items-center', props.className ?? 'flex')}>
      <span className="min-w-0 flex-1 truncate [&>*]:align-middle">{props.children}</span>
    </div>
  );
}
