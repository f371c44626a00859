import { Fragment } from 'react';
import { cx } from './cx.ts';
import { beginningOf, cutForeignText } from './foreign-text.logic.ts';
import { useUiText } from './strings.ts';

/**
 * A text that an agent, a user or another program wrote. It is always text, what would not be seen is
 * shown as a mark, its direction cannot leak into what stands around it, and what is cut is counted.
 */
export function ForeignText(props: {
  text: string;
  mono?: boolean;
  /** Characters shown at most; 2,000 when absent. */
  limit?: number;
  /** Goes on in a new line behind the mark of each line feed; put it where white space is kept. */
  lines?: boolean;
  className?: string;
}) {
  const t = useUiText();
  const { text, left } = beginningOf(props.text, props.limit ?? 2000);
  return (
    <bdi className={cx(props.mono && 'font-mono text-xs', props.className)}>
      {cutForeignText(text).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity and are never moved
        <Fragment key={index}>
          {piece.kind === 'text' ? (
            piece.text
          ) : (
            <span
              role="img"
              aria-label={t('hidden', { name: piece.name })}
              title={piece.name}
              className="mx-px rounded-[3px] bg-ask-soft px-0.5 font-mono text-[0.85em] text-ask outline outline-1 -outline-offset-1 outline-ask/40"
            >
              {piece.label}
            </span>
          )}
          {props.lines && piece.kind === 'mark' && piece.label === '↵' && '\n'}
        </Fragment>
      ))}
      {left > 0 && <span className="font-sans text-xs text-faint"> {t('cut', { count: left })}</span>}
    </bdi>
  );
}
