import { Hourglass } from 'lucide-react';
import type { PairingView } from '../../../shared/domain/level.ts';
import { useUiText } from '../../ui/strings.ts';
import { exactTime } from '../../ui/time.logic.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useSecond } from '../../ui/use-second.ts';
import { formatLeft, timeLeft } from '../approvals/countdown.logic.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { useLevelText } from './strings.ts';

/** Beside the switch while a raise is timed: how long it still holds, and what comes then. */
export function TimedChip(props: { timed: NonNullable<PairingView['timed']> }) {
  const t = useLevelText();
  const ui = useUiText();
  const language = useLanguage();
  const { until_ms, falls_back_to } = props.timed;
  const left = timeLeft(until_ms, useSecond()) ?? 0;
  const level = ui(falls_back_to);
  const help = t('timedHelp', { level, when: exactTime(until_ms, language) });
  return (
    <Tooltip text={help}>
      <button
        type="button"
        aria-label={help}
        data-testid="timed"
        className="ml-1 inline-flex h-5 items-center gap-1 rounded-sm bg-ask-soft px-1.5 text-xs whitespace-nowrap text-ask tabular-nums"
      >
        <Hourglass aria-hidden size={12} strokeWidth={1.75} className="shrink-0" />
        {formatLeft(left, language)}
        <span className="max-[1180px]:hidden">{`→ ${level}`}</span>
      </button>
    </Tooltip>
  );
}
