import { useSyncExternalStore } from 'react';
import { useLanguage } from '../app/i18n/i18n.ts';
import { useUiText } from './strings.ts';
import { exactTime, relativeTime } from './time.logic.ts';
import { Tooltip } from './tooltip.tsx';

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

// One timer for all the times on screen, and none when there are none.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The present, in ms, refreshed every 15 s. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => {
    if (listeners.size === 0) now = Date.now();
    return now;
  });
}

/** An instant (ms) said relative to now, exact on hover and focus; null shows `absent` or "never". */
export function RelativeTime(props: { ms: number | null; absent?: string }) {
  const t = useUiText();
  const language = useLanguage();
  const present = useNow();
  if (props.ms === null) return <span className="text-faint">{props.absent ?? t('never')}</span>;
  if (Number.isNaN(props.ms)) return <span className="text-deny">{t('unknownTime')}</span>;
  return (
    <Tooltip text={exactTime(props.ms, language)}>
      <time dateTime={new Date(props.ms).toISOString()} className="whitespace-nowrap">
        {relativeTime(props.ms, present, language)}
      </time>
    </Tooltip>
  );
}
