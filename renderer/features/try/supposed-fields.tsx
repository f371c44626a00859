import { AUTONOMY_LEVELS } from '../../../shared/domain/capability.ts';
import { useInfo } from '../../app/info.store.ts';
import { Field, Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { useUiText } from '../../ui/strings.ts';
import { useTryText } from './strings.ts';
import { readSupposed, type SupposedDraft } from './supposed.logic.ts';

/** Another level and another threshold than the ones in force. */
export function SupposedFields(props: { draft: SupposedDraft; onChange: (draft: SupposedDraft) => void }) {
  const t = useTryText();
  const ui = useUiText();
  const threshold = useInfo((now) => now.info?.threshold ?? null);
  const { draft } = props;
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('level')}>
        {(control) => (
          <Select
            control={control}
            value={draft.level}
            onChange={(level) => props.onChange({ ...draft, level })}
            options={[
              { value: 'now' as const, label: t('level.now') },
              ...AUTONOMY_LEVELS.map((value) => ({ value, label: ui(value) })),
            ]}
          />
        )}
      </Field>
      <Field label={t('threshold')} error={readSupposed(draft) === null && t('threshold.bad')}>
        {(control) => (
          <Input
            {...control}
            name="threshold"
            inputMode="decimal"
            placeholder={threshold === null ? '' : t('threshold.now', { threshold })}
            value={draft.threshold}
            onChange={(event) => props.onChange({ ...draft, threshold: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
