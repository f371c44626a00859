import { TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import type { Capability } from '../../../shared/domain/capability.ts';
import type { GrantView } from '../../../shared/domain/grant.ts';
import type { PairingView } from '../../../shared/domain/level.ts';
import { widthOf } from '../../app/grant-terms/width.logic.ts';
import { capabilityWords } from '../../app/i18n/capability-words.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ToggleChip } from '../../ui/filter-bar.tsx';
import { foreignToPlain, shortPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Field, Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { ExpiryField } from './expiry-field.tsx';
import type { DraftField, FieldFaults, GrantDraft } from './form.logic.ts';
import { valuesOf } from './grants.logic.ts';
import { useGrantsText } from './strings.ts';
import { targetWords } from './target-words.ts';

type Change = (part: Partial<GrantDraft>) => void;

/** The fields of a new grant. Each says what is wrong with it; nothing is cleared by an error. */
export function GrantForm(props: {
  draft: GrantDraft;
  onChange: Change;
  faults: FieldFaults;
  capabilities: readonly Capability[];
  pairings: readonly PairingView[];
  grants: readonly GrantView[];
}) {
  const { draft, onChange, faults } = props;
  const capability = props.capabilities.find((each) => each.name === draft.capability) ?? null;
  return (
    <div className="flex flex-col gap-4">
      <CapabilityField value={draft.capability} onChange={onChange} faults={faults} capabilities={props.capabilities} />
      <WhoFields draft={draft} onChange={onChange} faults={faults} pairings={props.pairings} grants={props.grants} />
      <TargetField draft={draft} onChange={onChange} faults={faults} capability={capability} />
      <ExpiryField
        draft={draft}
        onChange={onChange}
        error={<Fault faults={faults} field="expires_at" />}
        faulty={faults.expires_at !== undefined}
      />
    </div>
  );
}

/** What stands in red at a field. The engine's own sentence is shown as it came. */
function Fault(props: { faults: FieldFaults; field: DraftField }) {
  const t = useGrantsText();
  const at = props.faults[props.field];
  if (!at) return null;
  if ('problem' in at) {
    const { code, message } = at.problem;
    const known = props.field === 'target' && (code === 'refused' || code === 'bad-input');
    return (
      <>
        {known ? t(`fault.${code}.target`) : t('fault.engine')}
        {message && <ForeignText text={message} limit={400} className="block text-faint" />}
      </>
    );
  }
  return at.fault === 'empty' && props.field === 'target' ? t('fault.empty.target') : t(`fault.${at.fault}`);
}

function errorOf(faults: FieldFaults, field: DraftField) {
  return faults[field] ? <Fault faults={faults} field={field} /> : undefined;
}

function CapabilityField(props: {
  value: string;
  onChange: Change;
  faults: FieldFaults;
  capabilities: readonly Capability[];
}) {
  const t = useGrantsText();
  const language = useLanguage();
  const chosen = props.capabilities.find((each) => each.name === props.value);
  // Those that can be chosen first; the others stay in sight, with the reason.
  const offered = props.capabilities.filter((each) => each.default_approval === 'per_target');
  const others = props.capabilities.filter((each) => each.default_approval !== 'per_target');
  return (
    <Field
      label={t('form.capability')}
      error={errorOf(props.faults, 'capability')}
      help={chosen ? capabilityWords[language][chosen.name].sentence : t('form.capability.help')}
    >
      {(control) => (
        <Select
          control={control}
          value={props.value === '' ? null : props.value}
          placeholder={t('form.capability.choose')}
          onChange={(capability) => props.onChange({ capability })}
          options={[...offered, ...others].map((each) => ({
            value: each.name as string,
            label: (
              <>
                <code className="inline-block w-28 font-mono text-xs">{each.name}</code>
                <span className="text-soft">{capabilityWords[language][each.name].label}</span>
              </>
            ),
            disabled: each.default_approval !== 'per_target',
            ...(each.default_approval === 'per_target' ? {} : { hint: t(`form.why.${each.default_approval}`) }),
          }))}
        />
      )}
    </Field>
  );
}

function WhoFields(props: {
  draft: GrantDraft;
  onChange: Change;
  faults: FieldFaults;
  pairings: readonly PairingView[];
  grants: readonly GrantView[];
}) {
  const t = useGrantsText();
  const id = useId();
  const { draft, onChange, faults } = props;
  const pairings = props.pairings.filter((pairing) => pairing.revoked_at === null);
  const channels = valuesOf(
    props.grants,
    'channel',
    pairings.map((pairing) => pairing.channel),
  );
  const senders = valuesOf(
    props.grants,
    'sender_id',
    pairings.map((pairing) => pairing.sender_id),
  );
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('form.channel')} error={errorOf(faults, 'channel')}>
          {(control) => (
            <Input
              {...control}
              list={`${id}-channels`}
              name="channel"
              value={draft.channel}
              placeholder={t('form.channel.placeholder')}
              onChange={(event) => onChange({ channel: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('form.sender')} error={errorOf(faults, 'sender_id')}>
          {(control) => (
            <Input
              {...control}
              list={`${id}-senders`}
              name="sender_id"
              value={draft.sender_id}
              placeholder={t('form.sender.placeholder')}
              onChange={(event) => onChange({ sender_id: event.target.value })}
            />
          )}
        </Field>
      </div>
      <datalist id={`${id}-channels`}>
        {channels.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <datalist id={`${id}-senders`}>
        {senders.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {pairings.length > 0 && (
        <fieldset className="flex flex-wrap items-center gap-1">
          <legend className="sr-only">{t('form.pairings')}</legend>
          {pairings.slice(0, 8).map((pairing) => (
            <ToggleChip
              key={pairing.id}
              on={pairing.channel === draft.channel && pairing.sender_id === draft.sender_id}
              onChange={() => onChange({ channel: pairing.channel, sender_id: pairing.sender_id })}
            >
              {foreignToPlain(`${pairing.channel} / ${pairing.display_name ?? pairing.sender_id}`)}
            </ToggleChip>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function TargetField(props: {
  draft: GrantDraft;
  onChange: Change;
  faults: FieldFaults;
  capability: Capability | null;
}) {
  const t = useGrantsText();
  const { draft, onChange, faults, capability } = props;
  const kind = capability?.target_kind ?? 'exact';
  const words = targetWords(capability);
  if (kind === 'none') {
    return (
      <div className="flex flex-col gap-1">
        <span className="text-xs font-medium text-soft">{t('form.target.none')}</span>
        <p className="text-soft">{t('form.target.none.help')}</p>
      </div>
    );
  }
  const width = widthOf(kind, draft.target);
  const broad = width === 'broad' || faults.confirmBroad !== undefined || draft.confirmBroad;
  return (
    <Field label={t(words.label)} error={errorOf(faults, 'target')} help={t(words.help)}>
      {(control) => (
        <>
          <Input
            {...control}
            mono
            name="target"
            value={draft.target}
            disabled={capability === null}
            placeholder={capability === null ? '' : t(words.placeholder)}
            onChange={(event) => onChange({ target: event.target.value })}
          />
          {width !== null && width !== 'broad' && (
            <p role="status" data-width={width} className="flex items-start gap-1.5 text-xs text-ask">
              <TriangleAlert aria-hidden size={12} className="mt-0.5 shrink-0" />
              {t(`width.${width}`)}
            </p>
          )}
          {broad && (
            <div
              role="status"
              data-width="broad"
              className="my-1 rounded-md border border-ask/60 bg-ask-soft px-3 py-2"
            >
              <p className="mb-1 flex items-start gap-1.5 font-medium text-ask">
                <TriangleAlert aria-hidden size={14} className="mt-0.75 shrink-0" />
                {t('width.broad', { target: shortPlain(draft.target.trim()) })}
              </p>
              <Checkbox
                checked={draft.confirmBroad}
                onChange={(confirmBroad) => onChange({ confirmBroad })}
                label={t('width.confirm', { target: shortPlain(draft.target.trim()) })}
              />
              {faults.confirmBroad && (
                <p role="alert" className="mt-1 text-xs text-deny">
                  <Fault faults={faults} field="confirmBroad" />
                </p>
              )}
            </div>
          )}
        </>
      )}
    </Field>
  );
}
