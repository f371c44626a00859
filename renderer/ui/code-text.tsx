import type { ReactNode } from 'react';
import { cx } from './cx.ts';

/** Text for machines: a path, a pattern, an executor. For texts of other people use ForeignText with `mono`. */
export function CodeText(props: { children: ReactNode; className?: string }) {
  return <code className={cx('font-mono text-xs', props.className)}>{props.children}</code>;
}
