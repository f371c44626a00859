import { Hourglass } from 'lucide-react';
import { cx } from '../../ui/cx.ts';
import { useSecond } from '../../ui/use-second.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { formatLeft, timeLeft } from './countdown.logic.ts';
import { useCardText } from './strings.ts';

/** Under this much time the countdown stands out; ms. */
const SOON_MS = 60_000;

/** A live countdown. Not announced every second; whoever listens hears it on reaching it. */
export function TimeLeft(props: { until: number | null }) {
  const t = useCardText();
  const language = useLanguage();
  const left = timeLeft(props.until, useSecond());
  const soon = left !== null && left <= SOON_MS;
  return (
    <span
      role="timer"
      aria-live="off"
      className={cx(
        'inline-flex shrink-0 items-center gap-1 text-xs whitespace-nowrap tabular-nums',
        left === null || left === 0 ? 'text-deny' : soon ? 'font-medium text-ask' : 'text-soft',
      )}
    >
      <Hourglass aria-hidden size={12} strokeWidth={1.75} />
      {left === null ? t('noTime') : left === 0 ? t('over') : t('left', { time: formatLeft(left, language) })}
    </span>
  );
}
