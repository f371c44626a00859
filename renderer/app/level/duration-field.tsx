import { useId } from 'react';
import type { AutonomyLevel } from '../../../shared/domain/capability.ts';
import { Input } from '../../ui/input.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useUiText } from '../../ui/strings.ts';
import { exactTime } from '../../ui/time.logic.ts';
import { toLocalInput } from '../grant-terms/expiry.logic.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { DURATIONS, type Duration, endOfRise } from './duration.logic.ts';
import { useLevelText } from './strings.ts';

/** For how long a level is raised, and what it then falls back to. */
export function DurationField(props: {
  duration: Duration;
  custom: string;
  onChange: (duration: Duration, custom: string) => void;
  fallsBackTo: AutonomyLevel;
}) {
  const t = useLevelText();
  const ui = useUiText();
  const language = useLanguage();
  const now = useNow();
  const id = useId();
  const { duration, custom } = props;
  const answer = endOfRise(duration, custom, new Date(now));
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          size="sm"
          label={t('forHow')}
          value={duration}
          options={DURATIONS.map((value) => ({ value, label: t(`for.${value}`) }))}
          onChange={(next) =>
            props.onChange(
              next,
              next === 'custom' && custom === '' ? toLocalInput(new Date(now + 2 * 3_600_000)) : custom,
            )
          }
        />
        {duration === 'custom' && (
          <Input
            type="datetime-local"
            aria-label={t('for.customLabel')}
            aria-invalid={!answer.ok || undefined}
            aria-describedby={id}
            min={toLocalInput(new Date(now))}
            value={custom}
            onChange={(event) => props.onChange('custom', event.target.value)}
            className="max-w-52"
          />
        )}
      </div>
      <p id={id} className={answer.ok ? 'text-xs text-faint' : 'text-xs text-deny'} aria-live="polite">
        {!answer.ok
          ? t(`for.${answer.why}`)
          : answer.until_ms === null
            ? t('staysUp')
            : t('fallsBack', { level: ui(props.fallsBackTo), when: exactTime(answer.until_ms, language) })}
      </p>
    </div>
  );
}
