import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { TurnRow } from '../../../shared/domain/turn.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { useNow } from '../../ui/relative-time.tsx';
import { useUiText } from '../../ui/strings.ts';
import { FROM_SENDER, FROM_STEPS, GRID, OUTCOME_WORD, ROW_HEIGHT } from './columns.ts';
import { useTurnsText } from './strings.ts';
import { TurnLine } from './turn-line.tsx';
import { loadOlder, useTurns } from './turns.store.ts';

/** So many rows before the last one, the next page is asked for. */
const AHEAD = 40;

/** The turns, newest on top. Arrow keys move, Enter opens, Home goes to the newest, Esc closes what is open. */
export function TurnList(props: { open: string | null; onOpen: (key: string | null) => void }) {
  const t = useTurnsText();
  const ui = useUiText();
  const { rows, more, older, filter } = useTurns();
  const now = useNow();
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(props.open);
  const { onOpen } = props;
  const openRow = useRef((row: TurnRow) => {
    setCurrent(row.key);
    onOpen(row.key);
  });
  openRow.current = (row) => {
    setCurrent(row.key);
    onOpen(row.key);
  };
  const open = useRef((row: TurnRow) => openRow.current(row)).current;

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && older === 'idle' && lastShown > rows.length - AHEAD) void loadOlder();
  }, [more, older, lastShown, rows.length]);

  function move(step: number) {
    const at = rows.findIndex(({ key }) => key === current);
    const next = Math.max(0, Math.min(rows.length - 1, at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step));
    const row = rows[next];
    if (!row) return;
    setCurrent(row.key);
    if (props.open !== null) onOpen(row.key);
    virtual.scrollToIndex(next);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length }[event.key];
    if (step !== undefined) move(step);
    else if (event.key === 'Enter' && current !== null) onOpen(current);
    else if (event.key === 'Escape' && props.open !== null) onOpen(null);
    else return;
    event.preventDefault();
  }

  return (
    <div className="@container list-focus relative flex min-h-0 min-w-0 flex-1 flex-col">
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual list cannot be a table element */}
      <div
        role="grid"
        aria-label={t('list')}
        aria-rowcount={more ? -1 : rows.length + 1}
        aria-activedescendant={current === null ? undefined : `turn-${current}`}
        tabIndex={0}
        ref={box}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto outline-none"
      >
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the head cannot be chosen */}
        <div
          role="row"
          aria-rowindex={1}
          className={cx(GRID, 'sticky top-0 z-10 h-7 border-b border-line bg-canvas text-xs font-medium text-faint')}
        >
          <Head text={t('column.time')} />
          <Head text={t('column.outcome')} word={OUTCOME_WORD} />
          <Head text={t('column.intent')} />
          <Head text={t('column.sender')} className={FROM_SENDER} />
          <Head text={t('column.steps')} className={FROM_STEPS} />
          <Head text={t('column.took')} className={FROM_SENDER} />
        </div>
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <TurnLine
                  key={row.key}
                  row={row}
                  now={now}
                  current={row.key === current}
                  open={row.key === props.open}
                  position={item.index}
                  style={{ height: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
                  onOpen={open}
                />
              )
            );
          })}
        </div>
        <div className="flex h-10 items-center justify-center gap-3 text-xs text-faint" aria-live="polite">
          {older === 'loading' && t('loadingOlder')}
          {older === 'idle' && !more && t(Object.keys(filter).length > 0 ? 'endFiltered' : 'end')}
          {older === 'failed' && (
            <>
              {t('olderFailed')}
              <Button size="sm" onClick={() => useTurns.setState({ older: 'idle' })}>
                {ui('retry')}
              </Button>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function Head(props: { text: string; className?: string; word?: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the head cannot be chosen
    <div role="columnheader" className={cx('min-w-0 truncate', props.className)}>
      <span className={props.word}>{props.text}</span>
    </div>
  );
}
