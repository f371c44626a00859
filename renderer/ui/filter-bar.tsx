import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { useUiText } from './strings.ts';

/** The row of filters under a page's header. */
export function FilterBar(props: { label: string; children: ReactNode }) {
  return (
    <search
      aria-label={props.label}
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5"
    >
      {props.children}
    </search>
  );
}

/** A filter that is on or off. */
export function ToggleChip(props: {
  on: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
  count?: number;
}) {
  return (
    <button
      type="button"
      aria-pressed={props.on}
      onClick={() => props.onChange(!props.on)}
      className={cx(
        'inline-flex h-6 items-center gap-1.5 rounded-full border px-2.5 text-xs select-none',
        props.on ? 'border-accent bg-accent-soft text-accent' : 'border-line text-soft hover:bg-hover hover:text-ink',
      )}
    >
      {props.children}
      {props.count !== undefined && <span className="text-faint">{props.count}</span>}
    </button>
  );
}

/** A filter in force that can be taken away: `name` says of what, the children say which. */
export function FilterChip(props: { name: string; onClear: () => void; children: ReactNode }) {
  const t = useUiText();
  return (
    <span className="inline-flex h-6 max-w-72 items-center gap-1.5 rounded-full border border-accent bg-accent-soft pl-2.5 text-xs text-accent">
      <span className="shrink-0">{props.name}</span>
      <span className="min-w-0 truncate font-medium">{props.children}</span>
      <button
        type="button"
        aria-label={`${t('clear')}: ${props.name}`}
        onClick={props.onClear}
        className="inline-flex size-5.5 shrink-0 items-center justify-center rounded-full hover:bg-hover"
      >
        <X aria-hidden size={12} />
      </button>
    </span>
  );
}
