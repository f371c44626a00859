import { useState } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.store.ts';
import {
  checkDraft,
  type DraftFault,
  type DraftField,
  type FieldFaults,
  fieldOf,
  type GrantDraft,
  previewScope,
  toNewGrant,
} from './form.logic.ts';
import { GrantForm } from './grant-form.tsx';
import { nameOf } from './grant-name.logic.ts';
import { PastCalls } from './past-calls.tsx';
import { useGrantsText } from './strings.ts';

const EMPTY_DRAFT: GrantDraft = {
  capability: '',
  channel: '',
  sender_id: '',
  target: '',
  preset: '30days',
  custom: '',
  confirmBroad: false,
};

/**
 * The window that makes a grant. What was typed outlives an error and a closed window; only a grant
 * that was made clears it.
 */
export function NewGrant(props: {
  open: boolean;
  onClose: () => void;
  grants: readonly GrantView[];
  onMade: () => void;
}) {
  const t = useGrantsText();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [faults, setFaults] = useState<FieldFaults>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(false);
  const registry = useQuery(rpc.policy.matrix, {}, { enabled: props.open });
  const levels = useQuery(rpc.level.state, {}, { enabled: props.open });
  const capabilities = registry.data?.capabilities;
  const chosen = capabilities?.find((each) => each.name === draft.capability);

  function change(part: Partial<GrantDraft>) {
    const next = { ...draft, ...part };
    // A yes was given to one target; it does not carry over to another.
    if (part.target !== undefined || part.capability !== undefined) next.confirmBroad = false;
    setDraft(next);
    const left = { ...faults };
    for (const field of fieldsOf(part)) delete left[field];
    setFaults(left);
    setProblem(null);
  }

  async function send() {
    if (!capabilities || sending) return;
    const now = new Date();
    const found = checkDraft(draft, capabilities, now);
    const fields = Object.entries(found) as [DraftField, DraftFault][];
    setProblem(null);
    setFaults(Object.fromEntries(fields.map(([field, fault]) => [field, { fault }])));
    if (fields.length > 0 || !chosen) return;
    setSending(true);
    try {
      const made = await rpc.grants.record(toNewGrant(draft, chosen, now));
      setDraft(EMPTY_DRAFT);
      showToast({ text: t('done.recorded', { what: nameOf(made) }) });
      props.onMade();
      props.onClose();
    } catch (error) {
      const said = toProblem(error);
      const field = fieldOf(said.code, said.subject);
      if (field) setFaults({ [field]: { problem: said } });
      else setProblem(said);
    } finally {
      setSending(false);
    }
  }

  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={t('form.title')}
      description={t('form.lead')}
      footer={
        <>
          <Button onClick={props.onClose}>{t('form.cancel')}</Button>
          <Button look="primary" type="submit" form="new-grant" disabled={sending || !capabilities}>
            {t('form.sign')}
          </Button>
        </>
      }
    >
      {problem && (
        <div className="mb-3">
          <ErrorStrip problem={problem} />
        </div>
      )}
      {registry.problem && !capabilities && <ErrorStrip problem={registry.problem} onRetry={registry.refetch} />}
      {registry.loading && <SkeletonRows rows={6} />}
      {capabilities && (
        <form
          id="new-grant"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <GrantForm
            draft={draft}
            onChange={change}
            faults={faults}
            capabilities={capabilities}
            pairings={levels.data?.pairings ?? []}
            grants={props.grants}
          />
          <PastCalls scope={previewScope(draft, chosen)} />
        </form>
      )}
    </Dialog>
  );
}

/** Which faults a change may have answered. */
function fieldsOf(part: Partial<GrantDraft>): DraftField[] {
  const fields: DraftField[] = [];
  if (part.capability !== undefined) fields.push('capability', 'target', 'confirmBroad');
  if (part.channel !== undefined) fields.push('channel');
  if (part.sender_id !== undefined) fields.push('sender_id');
  if (part.target !== undefined) fields.push('target', 'confirmBroad');
  if (part.preset !== undefined || part.custom !== undefined) fields.push('expires_at');
  if (part.confirmBroad !== undefined) fields.push('confirmBroad');
  return fields;
}
