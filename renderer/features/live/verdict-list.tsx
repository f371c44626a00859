import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import { useInfo } from '../../app/info.store.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { useUiText } from '../../ui/strings.ts';
import { ROW_HEIGHT } from '../../verdicts/columns.ts';
import { useVerdictText } from '../../verdicts/strings.ts';
import { VerdictHead } from '../../verdicts/verdict-head.tsx';
import { VerdictLine } from '../../verdicts/verdict-row.tsx';
import { catchUp, loadOlder, setAway, useLive } from './live.store.ts';
import { useLiveText } from './strings.ts';

/** So many rows before the last one, the next page is asked for. */
const AHEAD = 60;

function openRow(row: VerdictRow): void {
  useLive.setState({ open: row, current: row.seq });
}

/** The rows, newest on top. Arrow keys move, Enter opens, Home goes to the newest. */
export function VerdictList() {
  const t = useVerdictText();
  const { list, current, open, older } = useLive();
  useLive((live) => live.version);
  const threshold = useInfo((now) => now.info?.threshold ?? null);
  const now = useNow();
  const box = useRef<HTMLDivElement>(null);
  const filtered = useLive((live) => Object.keys(live.filter).length > 0);
  const count = list.length;

  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => list.row(index)?.seq ?? index,
    overscan: 12,
    scrollMargin: 0,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;

  useEffect(() => {
    if (list.more && older === 'idle' && lastShown > count - AHEAD) void loadOlder();
  }, [list, older, lastShown, count]);

  const toTop = useCallback(() => {
    catchUp();
    box.current?.scrollTo({ top: 0 });
  }, []);

  function move(step: number) {
    const at = current === null ? -1 : list.indexOf(current);
    const next = Math.max(0, Math.min(count - 1, at < 0 ? (step > 0 ? 0 : count - 1) : at + step));
    const row = list.row(next);
    if (!row) return;
    useLive.setState(open ? { current: row.seq, open: row } : { current: row.seq });
    virtual.scrollToIndex(next);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    const row = current === null ? undefined : list.row(list.indexOf(current));
    if (step !== undefined) move(step);
    else if (event.key === 'Home') {
      const newest = list.row(0);
      if (newest) useLive.setState({ current: newest.seq });
      toTop();
    } else if (event.key === 'Enter' && row) openRow(row);
    else if (event.key === 'Escape' && open) useLive.setState({ open: null });
    else return;
    event.preventDefault();
  }

  return (
    <div className="@container list-focus relative flex min-h-0 min-w-0 flex-1 flex-col">
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual list cannot be a table element */}
      <div
        role="grid"
        aria-label={t('table')}
        aria-rowcount={list.more ? -1 : count + 1}
        aria-activedescendant={current === null ? undefined : `verdict-${current}`}
        tabIndex={0}
        ref={box}
        onKeyDown={onKeyDown}
        onScroll={(event) => setAway(event.currentTarget.scrollTop > ROW_HEIGHT / 2)}
        className="min-h-0 flex-1 overflow-y-auto outline-none"
      >
        <VerdictHead />
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = list.row(item.index);
            return (
              row && (
                <VerdictLine
                  key={row.seq}
                  row={row}
                  now={now}
                  threshold={threshold}
                  current={row.seq === current}
                  open={row.seq === open?.seq}
                  position={item.index}
                  style={{ height: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
                  onOpen={openRow}
                />
              )
            );
          })}
        </div>
        <div className="flex h-10 items-center justify-center gap-3 text-xs text-faint" aria-live="polite">
          {older === 'loading' && t('loadingOlder')}
          {older === 'idle' && !list.more && count > 0 && t(filtered ? 'endFiltered' : 'end')}
          {older === 'failed' && (
            <>
              {t('olderFailed')}
              <RetryOlder />
            </>
          )}
        </div>
      </div>
      <NewRows onClick={toTop} />
    </div>
  );
}

function RetryOlder() {
  return (
    <Button
      size="sm"
      onClick={() => {
        useLive.setState({ older: 'idle' });
        void loadOlder();
      }}
    >
      {useUiText()('retry')}
    </Button>
  );
}

/** How many verdicts wait above; a click shows them. */
function NewRows(props: { onClick: () => void }) {
  const t = useLiveText();
  const waiting = useLive((live) => live.list.waiting);
  if (waiting === 0) return null;
  return (
    <button
      type="button"
      data-testid="new-rows"
      onClick={props.onClick}
      className="absolute top-9 left-1/2 z-10 inline-flex h-7 -translate-x-1/2 items-center gap-1.5 rounded-full border border-accent bg-accent px-3 text-xs font-medium text-on-accent shadow-overlay animate-appear select-none"
    >
      <ArrowUp aria-hidden size={13} />
      {t('newRows', { count: waiting })}
    </button>
  );
}
