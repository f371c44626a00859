import type { ReactNode } from 'react';
import { auditHref, type VerdictSearch } from '../../app/links.ts';
import { cx } from '../../ui/cx.ts';

/** A figure that leads to the rows behind it. A zero leads nowhere, so it is only text. */
export function RowsLink(props: {
  search: VerdictSearch;
  count: number;
  children: ReactNode;
  className?: string;
  label?: string;
}) {
  if (props.count === 0) return <span className={cx('text-faint', props.className)}>{props.children}</span>;
  return (
    <a
      href={auditHref(props.search)}
      aria-label={props.label}
      className={cx(
        'rounded-sm decoration-faint underline-offset-2 hover:text-accent hover:underline',
        props.className,
      )}
    >
      {props.children}
    </a>
  );
}
