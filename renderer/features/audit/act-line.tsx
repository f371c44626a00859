import { type CSSProperties, memo, type ReactNode } from 'react';
import type { Act } from '../../../shared/domain/integrity.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { clockTime } from '../../ui/time.logic.ts';
import { GRID } from '../../verdicts/columns.ts';
import { ActMark, ActWords } from './act-words.tsx';
import { useAuditText } from './strings.ts';

/** An operator's act among the verdicts, on the same columns. */
export const ActLine = memo(function ActLine(props: {
  act: Act;
  now: number;
  current: boolean;
  open: boolean;
  position: number;
  style: CSSProperties;
  onOpen: (act: Act) => void;
}) {
  const t = useAuditText();
  const language = useLanguage();
  const { act } = props;
  const { day, time } = clockTime(act.at * 1000, props.now, language);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the grid, which has the focus
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list stand at places of their own, which table rows cannot
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its current row
    <div
      id={`act-${act.id}`}
      role="row"
      aria-rowindex={props.position + 2}
      aria-selected={props.current}
      data-act={act.id}
      data-kind={act.kind}
      style={props.style}
      onClick={() => props.onOpen(act)}
      className={cx(
        GRID,
        'absolute inset-x-0 top-0 border-b border-line select-none',
        props.open ? 'bg-selected' : 'bg-accent-soft/40 hover:bg-hover',
        props.current && 'shadow-[inset_4px_0_0_var(--accent)]',
      )}
    >
      <Cell>
        {act.at === 0 ? (
          <span className="text-faint">{t('act.noTime')}</span>
        ) : (
          <span className="font-mono text-xs whitespace-nowrap">
            {day !== null && <span className="text-faint">{day} </span>}
            {time}
          </span>
        )}
      </Cell>
      <Cell className="col-span-2">
        <ActMark kind={act.kind} />
        <span className="ml-3 text-xs text-faint">
          {act.who === null ? t('act.nobody') : <ForeignText text={act.who} limit={80} />}
        </span>
      </Cell>
      <Cell className="[grid-column:4/-1]">
        <ActWords act={act} />
      </Cell>
    </div>
  );
});

function Cell(props: { className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the row
    // biome-ignore lint/a11y/useFocusableInteractive: see the row
    <div role="gridcell" className={cx('flex h-full min-w-0 items-center', props.className)}>
      <span className="min-w-0 flex-1 truncate [&>*]:align-middle">{props.children}</span>
    </div>
  );
}

/** The head of a list of acts alone. */
export function ActHead() {
  const t = useAuditText();
  const head = (text: string, className?: string) => (
    // biome-ignore lint/a11y/useSemanticElements: see the row
    // biome-ignore lint/a11y/useFocusableInteractive: see the row
    <div role="columnheader" className={cx('min-w-0 truncate', className)}>
      {text}
    </div>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the row
    // biome-ignore lint/a11y/useFocusableInteractive: the head cannot be chosen
    <div
      role="row"
      aria-rowindex={1}
      className={cx(GRID, 'sticky top-0 z-10 h-7 border-b border-line bg-canvas text-xs font-medium text-faint')}
    >
      {head(t('detail.when'))}
      {head(t('column.act'), 'col-span-2')}
      {head(t('column.what'), '[grid-column:4/-1]')}
    </div>
  );
}
