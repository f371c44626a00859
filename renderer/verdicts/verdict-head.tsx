import { cx } from '../ui/cx.ts';
import { FROM_PHASE, FROM_RULE, FROM_SCORE, GRID } from './columns.ts';
import { useVerdictText } from './strings.ts';

/** The head of a list of verdicts; it stays in view. */
export function VerdictHead() {
  const t = useVerdictText();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list cannot be a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the head cannot be chosen
    <div
      role="row"
      aria-rowindex={1}
      className={cx(GRID, 'sticky top-0 z-10 h-7 border-b border-line bg-canvas text-xs font-medium text-faint')}
    >
      <Head text={t('column.time')} />
      <Head text={t('column.outcome')} />
      <Head text={t('column.executor')} />
      <Head text={t('column.intent')} />
      <Head text={t('column.score')} className={FROM_SCORE} />
      <Head text={t('column.phase')} className={FROM_PHASE} />
      <Head text={t('column.rule')} className={FROM_RULE} />
    </div>
  );
}

function Head(props: { text: string; className?: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the row
    // biome-ignore lint/a11y/useFocusableInteractive: see the row
    <div role="columnheader" className={cx('min-w-0 truncate', props.className)}>
      {props.text}
    </div>
  );
}
