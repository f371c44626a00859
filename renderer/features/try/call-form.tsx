import { type FormEvent, useId } from 'react';
import { CAPABILITY_NAMES } from '../../../shared/domain/capability.ts';
import { capabilityWords } from '../../app/i18n/capability-words.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { useLevels } from '../../app/level/level.store.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/input.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Select } from '../../ui/select.tsx';
import { ArgsEditor } from './args-editor.tsx';
import { type CallDraft, type DraftFaults, EXAMPLES, exampleDraft } from './call.logic.ts';
import { useTryText } from './strings.ts';
import type { SupposedDraft } from './supposed.logic.ts';
import { SupposedFields } from './supposed-fields.tsx';

const ANY = '*';

/** One call as an agent would propose it. */
export function CallForm(props: {
  draft: CallDraft;
  supposed: SupposedDraft;
  faults: DraftFaults;
  tell: boolean;
  busy: boolean;
  onChange: (part: Partial<CallDraft>) => void;
  onSuppose: (supposed: SupposedDraft) => void;
  onRun: () => void;
}) {
  const t = useTryText();
  const language = useLanguage();
  const pairings = useLevels((levels) => levels.state?.pairings ?? null) ?? [];
  const id = useId();
  const { draft, onChange } = props;
  const error = (field: keyof CallDraft) => props.tell && props.faults[field] !== undefined && t('fault.empty');
  return (
    <form
      className="flex flex-col gap-3 p-4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        props.onRun();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        props.onRun();
      }}
    >
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="mr-0.5 text-xs text-faint">{t('examples')}</span>
        {EXAMPLES.map((each) => (
          <Button key={each.id} size="sm" onClick={() => onChange(exampleDraft(each.id, draft))}>
            {t(`example.${each.id}`)}
          </Button>
        ))}
      </div>
      <Field label={t('intent')} help={t('intent.help')}>
        {(control) => (
          <Input
            {...control}
            name="intent"
            value={draft.intent}
            onChange={(event) => onChange({ intent: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('executor')} error={error('executor')}>
        {(control) => (
          <Input
            {...control}
            mono
            name="executor"
            value={draft.executor}
            onChange={(event) => onChange({ executor: event.target.value })}
          />
        )}
      </Field>
      <ArgsEditor
        value={draft.args}
        fault={props.faults.args}
        tell={props.tell}
        onChange={(args) => onChange({ args })}
      />
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('channel')} error={error('channel')}>
          {(control) => (
            <Input
              {...control}
              name="channel"
              list={`${id}-channels`}
              value={draft.channel}
              onChange={(event) => onChange({ channel: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('sender')} error={error('sender_id')}>
          {(control) => (
            <Input
              {...control}
              name="sender_id"
              list={`${id}-senders`}
              value={draft.sender_id}
              onChange={(event) => onChange({ sender_id: event.target.value })}
            />
          )}
        </Field>
        <datalist id={`${id}-channels`}>
          {[...new Set(pairings.map((each) => each.channel))].map((channel) => (
            <option key={channel} value={channel} />
          ))}
        </datalist>
        <datalist id={`${id}-senders`}>
          {[...new Set(pairings.map((each) => each.sender_id))].map((sender) => (
            <option key={sender} value={sender} />
          ))}
        </datalist>
      </div>
      <Field label={t('capability')} help={t('capability.help')}>
        {(control) => (
          <Select
            control={control}
            value={draft.capability === '' ? ANY : draft.capability}
            onChange={(value) => onChange({ capability: value === ANY ? '' : value })}
            options={[
              { value: ANY, label: t('capability.none') },
              ...CAPABILITY_NAMES.map((name) => ({
                value: name as string,
                label: <span className="font-mono text-xs">{name}</span>,
                hint: capabilityWords[language][name].label,
              })),
            ]}
          />
        )}
      </Field>
      <SupposedFields draft={props.supposed} onChange={props.onSuppose} />
      <div className="flex items-center gap-2">
        <Button look="primary" type="submit" disabled={props.busy}>
          {props.busy ? t('running') : t('run')}
        </Button>
        <Kbd>Ctrl ↵</Kbd>
      </div>
    </form>
  );
}
