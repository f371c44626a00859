import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';

export interface Sort<C extends string> {
  column: C;
  direction: 'up' | 'down';
}

/** A table whose head stays in view: put it into a box that scrolls. */
export function Table(props: { label: string; children: ReactNode; className?: string }) {
  return (
    <table
      aria-label={props.label}
      className={cx('w-full border-separate border-spacing-0 text-left', props.className)}
    >
      {props.children}
    </table>
  );
}

const HEAD =
  'sticky top-0 z-10 h-7 border-b border-line bg-canvas px-2 text-xs font-medium text-faint whitespace-nowrap first:pl-4 last:pr-4';

export function Th({ className, ...rest }: ComponentProps<'th'>) {
  return <th scope="col" {...rest} className={cx(HEAD, className)} />;
}

/** A head that sorts; pressing it again turns the order. */
export function SortableTh<C extends string>(props: {
  column: C;
  sort: Sort<C>;
  onSort: (sort: Sort<C>) => void;
  children: ReactNode;
  className?: string;
}) {
  const active = props.sort.column === props.column;
  const up = active && props.sort.direction === 'up';
  return (
    <th
      scope="col"
      aria-sort={active ? (up ? 'ascending' : 'descending') : 'none'}
      className={cx(HEAD, props.className)}
    >
      <button
        type="button"
        onClick={() => props.onSort({ column: props.column, direction: up ? 'down' : 'up' })}
        className={cx('-mx-1 inline-flex h-5 items-center gap-1 rounded-sm px-1 hover:text-ink', active && 'text-ink')}
      >
        {props.children}
        {active && (up ? <ArrowUp aria-hidden size={12} /> : <ArrowDown aria-hidden size={12} />)}
      </button>
    </th>
  );
}

export function Tr({ selected, className, ...rest }: ComponentProps<'tr'> & { selected?: boolean }) {
  return (
    <tr
      aria-selected={selected}
      {...rest}
      className={cx('group', selected ? '[&>td]:bg-selected' : 'hover:[&>td]:bg-hover', className)}
    />
  );
}

export function Td({ className, ...rest }: ComponentProps<'td'>) {
  return <td {...rest} className={cx('h-8 border-b border-line px-2 first:pl-4 last:pr-4', className)} />;
}
