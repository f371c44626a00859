import { Check, Compass, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { TelosFile } from '../../../shared/rpc/proposals.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.store.ts';
import { lineRange } from './proposals.logic.ts';
import { useProposalsText } from './strings.ts';
import { TelosPreview } from './telos-preview.tsx';

/** The preview follows the typing after so long, ms. */
const SETTLE_MS = 250;

/** The user's ends: their file, as text, with what it means beside it. */
export function TelosView() {
  const t = useProposalsText();
  const { data, problem, loading, refetch } = useQuery(rpc.proposals.telos, {});
  useSubscription(rpc.proposals.changed, () => ({}), refetch);
  const [started, setStarted] = useState(false);
  if (loading) return <SkeletonRows rows={10} />;
  if (!data) return problem && <ErrorState problem={problem} onRetry={refetch} />;
  if (data.unreadable !== null) {
    return (
      <Empty
        icon={TriangleAlert}
        title={t('telos.unreadable')}
        action={<Button onClick={refetch}>{t('telos.load')}</Button>}
      >
        <ForeignText text={data.unreadable} />
      </Empty>
    );
  }
  if (data.version === 'none' && !started) {
    return (
      <Empty
        icon={Compass}
        title={t('telos.none')}
        action={
          <Button look="primary" onClick={() => setStarted(true)}>
            {t('telos.start')}
          </Button>
        }
      >
        {t('telos.noneText')}
        <span className="mt-2 block text-xs wrap-anywhere">
          <CodeText>{data.path}</CodeText>
        </span>
      </Empty>
    );
  }
  return <Editor file={data} example={started ? t('telos.example') : ''} onSaved={refetch} />;
}

function Editor(props: { file: TelosFile; example: string; onSaved: () => void }) {
  const t = useProposalsText();
  const { file } = props;
  const [base, setBase] = useState(file);
  const [draft, setDraft] = useState(file.text ?? props.example);
  const [settled, setSettled] = useState(draft);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);

  const isDirty = draft !== (base.text ?? '');
  const isChangedElsewhere = file.version !== base.version;

  function load(next: TelosFile) {
    setBase(next);
    setDraft(next.text ?? '');
    setSettled(next.text ?? '');
    setProblem(null);
  }
  // Nothing of the person's is lost by following the file.
  if (isChangedElsewhere && !isDirty) load(file);

  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  const check = useQuery(rpc.proposals.checkTelos, { text: settled });
  const isChecked = settled === draft && check.data !== undefined && check.problem === null;
  const problems = check.data?.problems ?? [];
  const canSave = isDirty && isChecked && problems.length === 0 && !isChangedElsewhere && !saving;

  async function save() {
    if (!canSave) return;
    setSaving(true);
    setProblem(null);
    try {
      load(await rpc.proposals.saveTelos({ text: draft, version: base.version }));
      showToast({ text: t('telos.saved') });
      props.onSaved();
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setSaving(false);
    }
  }

  function goToLine(line: number) {
    const { start, end } = lineRange(draft, line);
    const box = area.current;
    if (!box) return;
    box.focus();
    box.setSelectionRange(start, end);
    box.scrollTop = Math.max(0, (line - 4) * 20);
  }

  const state = isDirty ? 'telos.unsaved' : base.problems.length > 0 ? 'telos.notInForce' : 'telos.inForce';
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <CodeText className="min-w-0 truncate text-soft">{file.path}</CodeText>
        <span role="status" className={isDirty || base.problems.length > 0 ? 'text-xs text-ask' : 'text-xs text-faint'}>
          {t(state)}
        </span>
        <span className="ml-auto flex gap-2">
          <Button look="quiet" size="sm" disabled={!isDirty || saving} onClick={() => load(file)}>
            {t('telos.revert')}
          </Button>
          <Button look="primary" size="sm" icon={Check} disabled={!canSave} onClick={() => void save()}>
            {t('telos.save')}
          </Button>
        </span>
      </div>
      {isChangedElsewhere && isDirty && (
        <div role="alert" className="flex items-center gap-3 border-b border-line bg-ask-soft px-4 py-2">
          <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-ask" />
          <span className="min-w-0 flex-1">{t('telos.changed')}</span>
          <Button size="sm" onClick={() => load(file)}>
            {t('telos.load')}
          </Button>
        </div>
      )}
      {problem && (
        <div className="px-4 py-2">
          <ErrorStrip problem={problem} onRetry={props.onSaved} />
        </div>
      )}
      <div className="flex min-h-0 flex-1">
        <textarea
          ref={area}
          aria-label={t('telos.editor')}
          aria-invalid={problems.length > 0}
          value={draft}
          spellCheck={false}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void save();
          }}
          className="inset-focus min-w-0 flex-1 resize-none bg-raised px-4 py-3 font-mono text-xs leading-5 text-ink"
        />
        <aside
          aria-label={t('telos.preview')}
          className="w-84 shrink-0 overflow-y-auto border-l border-line bg-panel px-4 py-3 max-[1040px]:w-64"
        >
          <p className="mb-4 text-xs text-faint text-pretty">{t('telos.lead')}</p>
          {check.problem && <ErrorStrip problem={check.problem} onRetry={check.refetch} />}
          <TelosPreview teloi={check.data?.teloi ?? []} problems={problems} onLine={goToLine} />
        </aside>
      </div>
    </div>
  );
}
