import { cx } from './cx.ts';
import { useUiText } from './strings.ts';

/** A grey bar where text will stand. */
export function Skeleton(props: { className?: string }) {
  return <span aria-hidden className={cx('block h-3 rounded-sm bg-hover animate-skeleton', props.className)} />;
}

/** Rows of bars for a table that is loading, and the word for those who cannot see them. */
export function SkeletonRows(props: { rows?: number }) {
  const t = useUiText();
  const widths = ['w-3/5', 'w-2/5', 'w-1/2', 'w-4/5', 'w-1/3'];
  return (
    <div role="status" className="flex flex-col">
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: props.rows ?? 8 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div key={row} className="flex h-7 items-center gap-6 border-b border-line px-4">
          <Skeleton className="w-16" />
          <Skeleton className="w-20" />
          <div className="flex-1">
            <Skeleton className={widths[row % widths.length] ?? 'w-1/2'} />
          </div>
        </div>
      ))}
    </div>
  );
}
