import { type ReactNode, useId } from 'react';
import { EXPIRY_PRESETS, expiryOf, toLocalInput } from '../../app/grant-terms/expiry.logic.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { Input } from '../../ui/input.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import type { GrantDraft } from './form.logic.ts';
import { useGrantsText } from './strings.ts';

/** Presets, a date of one's own, and the exact instant that will be signed. */
export function ExpiryField(props: {
  draft: GrantDraft;
  onChange: (part: Partial<GrantDraft>) => void;
  faulty: boolean;
  error: ReactNode;
}) {
  const t = useGrantsText();
  const language = useLanguage();
  const now = useNow();
  const id = useId();
  const { preset, custom } = props.draft;
  const answer = expiryOf(preset, custom, new Date(now));
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-xs font-medium text-soft">{t('form.expires')}</span>
      <div className="flex">
        <Segmented
          size="sm"
          label={t('form.expires')}
          value={preset}
          options={EXPIRY_PRESETS.map((value) => ({ value, label: t(`form.preset.${value}`) }))}
          onChange={(value) =>
            props.onChange({
              preset: value,
              ...(value === 'custom' && custom === '' ? { custom: toLocalInput(new Date(now + 86_400_000)) } : {}),
            })
          }
        />
      </div>
      {preset === 'custom' && (
        <Input
          type="datetime-local"
          name="expires_at"
          aria-label={t('form.custom')}
          aria-invalid={props.faulty || undefined}
          aria-describedby={`${id}-says`}
          min={toLocalInput(new Date(now))}
          value={custom}
          onChange={(event) => props.onChange({ custom: event.target.value })}
          className="max-w-56"
        />
      )}
      <p
        id={`${id}-says`}
        role={props.faulty ? 'alert' : undefined}
        className={props.faulty ? 'text-xs text-deny' : 'text-xs text-faint'}
      >
        {props.faulty
          ? props.error
          : answer.ok &&
            (answer.expires_at === null
              ? t('form.until.never')
              : t('form.until', { when: exactTime(Date.parse(answer.expires_at), language) }))}
      </p>
    </div>
  );
}
