import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Act } from '../../../shared/domain/integrity.ts';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import { useInfo } from '../../app/info.store.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { useUiText } from '../../ui/strings.ts';
import { ROW_HEIGHT } from '../../verdicts/columns.ts';
import { useVerdictText } from '../../verdicts/strings.ts';
import { VerdictHead } from '../../verdicts/verdict-head.tsx';
import { VerdictLine } from '../../verdicts/verdict-row.tsx';
import { ActHead, ActLine } from './act-line.tsx';
import { loadNewest, loadOlder, useAudit } from './audit.store.ts';
import { type Entry, filtersOf, idOf, interleave } from './entries.logic.ts';
import { useAuditText } from './strings.ts';

/** So many rows before the last one, the next page is asked for. */
const AHEAD = 80;

/** Verdicts and acts, newest on top. Arrow keys move, Enter opens, Esc closes, Home goes to the newest. */
export function AuditList(props: { open: string | null; onOpen: (entry: Entry | null) => void }) {
  const t = useAuditText();
  const words = useVerdictText();
  const ui = useUiText();
  const { rows, rowsMore, acts, actsMore, older, search } = useAudit();
  const threshold = useInfo((now) => now.info?.threshold ?? null);
  const now = useNow();
  const box = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => interleave({ rows, rowsMore, acts, actsMore }), [rows, rowsMore, acts, actsMore]);
  const [current, setCurrent] = useState<string | null>(props.open);
  const { open, onOpen } = props;
  useEffect(() => {
    if (open !== null) setCurrent(open);
  }, [open]);
  const latest = useRef(onOpen);
  latest.current = onOpen;
  const openRow = useRef((row: VerdictRow) => latest.current({ kind: 'verdict', row })).current;
  const openAct = useRef((act: Act) => latest.current({ kind: 'act', act })).current;
  const more = rowsMore || actsMore;

  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => {
      const entry = entries[index];
      return entry === undefined ? index : idOf(entry);
    },
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && older === 'idle' && lastShown > entries.length - AHEAD) void loadOlder();
  }, [more, older, lastShown, entries.length]);

  // A link may name a row that is far down.
  const sought = useRef(open);
  useEffect(() => {
    if (sought.current === null) return;
    const place = entries.findIndex((entry) => idOf(entry) === sought.current);
    if (place === -1) return;
    sought.current = null;
    virtual.scrollToIndex(place, { align: 'center' });
  }, [entries, virtual]);

  function move(step: number) {
    const at = entries.findIndex((entry) => idOf(entry) === current);
    const next = Math.max(0, Math.min(entries.length - 1, at < 0 ? (step > 0 ? 0 : entries.length - 1) : at + step));
    const entry = entries[next];
    if (!entry) return;
    setCurrent(idOf(entry));
    if (open !== null) onOpen(entry);
    virtual.scrollToIndex(next);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -entries.length }[event.key];
    const entry = entries.find((each) => idOf(each) === current);
    if (step !== undefined) move(step);
    else if (event.key === 'Enter' && entry) onOpen(entry);
    else if (event.key === 'Escape' && open !== null) onOpen(null);
    else return;
    event.preventDefault();
  }

  const filtered = Object.keys(filtersOf(search)).length > 0;
  const endText = filtered ? words('endFiltered') : search.show === 'acts' ? t('actsEnd') : words('end');
  return (
    <div className="@container list-focus relative flex min-h-0 min-w-0 flex-1 flex-col">
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual list cannot be a table element */}
      <div
        role="grid"
        aria-label={t('list')}
        aria-rowcount={more ? -1 : entries.length + 1}
        aria-activedescendant={current ?? undefined}
        tabIndex={0}
        ref={box}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto outline-none"
      >
        {search.show === 'acts' ? <ActHead /> : <VerdictHead />}
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const entry = entries[item.index];
            if (!entry) return null;
            const id = idOf(entry);
            const place = {
              now,
              current: id === current,
              open: id === open,
              position: item.index,
              style: { height: ROW_HEIGHT, transform: `translateY(${item.start}px)` },
            };
            return entry.kind === 'verdict' ? (
              <VerdictLine key={id} row={entry.row} threshold={threshold} onOpen={openRow} {...place} />
            ) : (
              <ActLine key={id} act={entry.act} onOpen={openAct} {...place} />
            );
          })}
        </div>
        <div className="flex h-10 items-center justify-center gap-3 text-xs text-faint" aria-live="polite">
          {older === 'loading' && words('loadingOlder')}
          {older === 'idle' && !more && endText}
          {older === 'failed' && (
            <>
              {words('olderFailed')}
              <Button size="sm" onClick={() => useAudit.setState({ older: 'idle' })}>
                {ui('retry')}
              </Button>
            </>
          )}
        </div>
      </div>
      <Fresh
        onClick={() => {
          box.current?.scrollTo({ top: 0 });
          void loadNewest();
        }}
      />
    </div>
  );
}

/** The list stands still; a click shows what came since. */
function Fresh(props: { onClick: () => void }) {
  const t = useAuditText();
  const { fresh, outdated } = useAudit();
  if (fresh === 0 && !outdated) return null;
  return (
    <button
      type="button"
      data-testid="fresh"
      onClick={props.onClick}
      className="absolute top-9 left-1/2 z-10 inline-flex h-7 -translate-x-1/2 items-center gap-1.5 rounded-full border border-accent bg-accent px-3 text-xs font-medium text-on-accent shadow-overlay animate-appear select-none"
    >
      <ArrowUp aria-hidden size={13} />
      {outdated ? t('changed') : t('fresh', { count: fresh })}
    </button>
  );
}
