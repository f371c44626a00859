import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { ApprovalCard, ApprovalChoice } from '../../../shared/domain/approval.ts';
import { capabilityIn } from '../../app/approvals/strings.ts';
import { widthOf } from '../../app/grant-terms/width.logic.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { cutForeignText, foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Field, Input } from '../../ui/input.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { DecidingButton } from './press-guard.tsx';
import { endOf, FIRST_PRESET, readiness, SIMILAR_PRESETS, type SimilarPreset } from './similar.logic.ts';
import { useApprovalsText } from './strings.ts';

const TYPING_MS = 150;

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/**
 * "This and similar": the proposed pattern, which the person can edit and bound in time (pipeline page,
 * "Approvals"). The engine is asked about each pattern as typed, and only one that it accepts can be signed.
 */
export function SimilarForm(props: {
  card: ApprovalCard;
  similar: { capability: string; target: string };
  disabled: boolean;
  onSign: (choice: ApprovalChoice) => void;
  onBack: () => void;
}) {
  const t = useApprovalsText();
  const language = useLanguage();
  const { card, similar } = props;
  const [target, setTarget] = useState(similar.target);
  const [preset, setPreset] = useState<SimilarPreset>(FIRST_PRESET);
  const [confirmedFor, setConfirmedFor] = useState<string | null>(null);
  const now = useNow();
  const untilId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const matrix = useQuery(rpc.policy.matrix, {});
  const name = capabilityIn(similar.capability);
  const kind = matrix.data?.capabilities.find((each) => each.name === name)?.target_kind ?? 'exact';

  const rested = useRested(target.trim());
  const ends = endOf(preset, new Date(now));
  const check = useQuery(
    rpc.approvals.checkSimilar,
    { token: card.token, target: rested, expires_at: ends },
    { enabled: rested !== '' },
  );
  const current = rested === target.trim() ? (check.data ?? null) : null;
  const state = readiness(
    target,
    check.problem ? { ok: false, needs_confirmation: false } : current,
    confirmedFor === target,
  );
  const width = kind === 'none' ? null : widthOf(kind, target);
  const hidden = cutForeignText(target).some((piece) => piece.kind === 'mark');

  function sign() {
    if (state !== 'ready' || props.disabled) return;
    props.onSign({
      kind: 'similar',
      target: target.trim(),
      expires_at: endOf(preset, new Date()),
      ...(confirmedFor === target ? { confirm_broad: true } : {}),
    });
  }

  return (
    <form
      aria-label={t('similar.title')}
      className="flex flex-col gap-3 border-t border-line px-4 py-3"
      // Enter in a field signs nothing: the button is a gesture of its own.
      onSubmit={(event: FormEvent) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        props.onBack();
      }}
    >
      <Field
        label={t('similar.target')}
        help={t(`similar.help.${kind}`)}
        error={
          state === 'refused' &&
          !check.problem && (
            <>
              {t('similar.why')}
              {current?.problem ? ': ' : '.'}
              {current?.problem && <ForeignText text={current.problem} limit={600} />}
            </>
          )
        }
      >
        {(control) => (
          <Input
            {...control}
            ref={input}
            mono
            name="target"
            value={target}
            disabled={kind === 'none'}
            onChange={(event) => setTarget(event.target.value)}
          />
        )}
      </Field>
      {hidden && (
        <p className="text-xs text-soft wrap-anywhere">
          {t('similar.hidden')} <ForeignText mono text={target} limit={4096} />
        </p>
      )}
      {check.problem && <ErrorStrip problem={check.problem} onRetry={check.refetch} />}
      <div className="flex flex-col gap-1">
        <span id={untilId} className="text-xs font-medium text-soft">
          {t('similar.until')}
        </span>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Segmented
            size="sm"
            label={t('similar.until')}
            value={preset}
            onChange={setPreset}
            options={SIMILAR_PRESETS.map((value) => ({ value, label: t(`similar.${value}`) }))}
          />
          <span className="text-xs text-faint">
            {ends === null
              ? t('similar.neverEnds')
              : t('similar.ends', { when: exactTime(Date.parse(ends), language) })}
          </span>
        </div>
      </div>
      <div aria-live="polite" className="flex min-h-4 flex-col gap-1 text-xs">
        {state === 'checking' && <p className="text-faint">{t('similar.checking')}</p>}
        {width !== null && width !== 'broad' && <p className="text-ask">{t(`similar.${width}`)}</p>}
        {current?.needs_confirmation && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-md border border-ask/50 bg-ask-soft px-2.5 py-1.5">
            <p className="text-ask">{t('similar.broad')}</p>
            <Checkbox
              checked={confirmedFor === target}
              onChange={(on) => setConfirmedFor(on ? target : null)}
              label={t('similar.confirm')}
            />
          </div>
        )}
        {state === 'ready' && !current?.needs_confirmation && <p className="text-allow">{t('similar.ok')}</p>}
        <p className="text-faint wrap-anywhere">
          {t('similar.grants', {
            who: foreignToPlain(`${card.channel} / ${card.sender_id}`),
            capability: foreignToPlain(similar.capability),
          })}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <DecidingButton card={card.token} disabled={state !== 'ready' || props.disabled} onPress={sign}>
          {t('similar.sign')}
        </DecidingButton>
        <Button look="quiet" onClick={props.onBack}>
          {t('similar.back')}
        </Button>
      </div>
    </form>
  );
}
