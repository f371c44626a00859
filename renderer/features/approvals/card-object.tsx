import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { formatBytes } from '../../ui/bytes.logic.ts';
import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { LONGEST_SHOWN } from './blocked.logic.ts';
import { objectParts } from './object-lines.logic.ts';
import { useApprovalsText } from './strings.ts';

const SLACK_PX = 2;

/** True once the last line of a scrolling box has been on screen. A text that fits has been read. */
function useReadToEnd(text: string, onRead: (read: boolean) => void) {
  const box = useRef<HTMLDivElement>(null);
  const look = useCallback(() => {
    const element = box.current;
    if (element && element.scrollTop + element.clientHeight >= element.scrollHeight - SLACK_PX) onRead(true);
  }, [onRead]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has to be read anew
  useEffect(() => {
    onRead(false);
    look();
    if (!box.current || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(look);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [text, look, onRead]);
  return { box, look };
}

function Side(props: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="font-sans text-xs text-faint">{props.name}</dt>
      <dd className="min-w-0 wrap-anywhere">{props.children}</dd>
    </>
  );
}

/**
 * The card's second line: the whole object, where it goes from and to, how large it is. All of it stands in one
 * box that scrolls, line feeds and all.
 */
export function CardObject(props: { card: ApprovalCard; low: boolean; onRead: (read: boolean) => void }) {
  const t = useApprovalsText();
  const language = useLanguage();
  const { card } = props;
  const { box, look } = useReadToEnd(`${card.object}\0${card.from}\0${card.to}`, props.onRead);
  const { object, from, to } = objectParts(card);
  const sizes = [
    card.bytes === null ? null : formatBytes(card.bytes, language),
    card.count > 1 ? t('line.count', { count: card.count }) : null,
    card.object.length > 400
      ? t('characters', { count: card.object.length, n: card.object.length.toLocaleString(language) })
      : null,
  ].filter((each) => each !== null);
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would need a heading */}
      <div
        ref={box}
        role="region"
        aria-label={t('line.object')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard
        tabIndex={0}
        data-testid="card-object"
        onScroll={look}
        className={cx(
          'overflow-y-auto rounded-md border border-line bg-canvas px-2.5 py-1.5 leading-5 whitespace-pre-wrap wrap-anywhere select-text',
          props.low ? 'max-h-28' : 'max-h-60',
        )}
      >
        {object === '' && <span className="text-faint">{t('line.noObject')}</span>}
        {object !== null && object !== '' && (
          <ForeignText mono lines text={object} limit={LONGEST_SHOWN} className="text-[0.8125rem]" />
        )}
        {(from !== null || to !== null) && (
          <dl className="grid grid-cols-[2.5rem_1fr] items-baseline">
            {from !== null && (
              <Side name={t('line.from')}>
                <ForeignText mono lines text={from} limit={LONGEST_SHOWN} className="text-[0.8125rem]" />
              </Side>
            )}
            {to !== null && (
              <Side name={t('line.to')}>
                <ForeignText mono lines text={to} limit={LONGEST_SHOWN} className="text-[0.8125rem]" />
              </Side>
            )}
          </dl>
        )}
      </div>
      {sizes.length > 0 && <p className="mt-1 text-xs text-soft">{sizes.join(' · ')}</p>}
    </div>
  );
}
