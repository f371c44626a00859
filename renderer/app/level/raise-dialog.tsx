import { ArrowRight } from 'lucide-react';
import { useRef, useState } from 'react';
import type { AutonomyLevel } from '../../../shared/domain/capability.ts';
import type { LevelPreview } from '../../../shared/domain/level.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/side-panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useUiText } from '../../ui/strings.ts';
import { exactTime } from '../../ui/time.logic.ts';
import { showToast } from '../../ui/toast.store.ts';
import { capabilityWords } from '../i18n/capability-words.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { type Duration, endOfRise } from './duration.logic.ts';
import { DurationField } from './duration-field.tsx';
import type { LevelInForce } from './level.logic.ts';
import { takeLevelState } from './level.store.ts';
import { PastCalls, PastNote } from './past-calls.tsx';
import { usePastText } from './past-strings.ts';
import { useScopeName } from './scope-chooser.tsx';
import { useLevelText } from './strings.ts';

function Opens(props: { preview: LevelPreview }) {
  const t = useLevelText();
  const language = useLanguage();
  const opening = props.preview.cells.filter((cell) => cell.opens);
  if (opening.length === 0) return <p className="text-soft">{t('opensNone')}</p>;
  return (
    <ul className="overflow-hidden rounded-md border border-line">
      {opening.map((cell) => (
        <li
          key={cell.capability}
          data-capability={cell.capability}
          className="grid h-8 grid-cols-[8rem_1fr_5.5rem_1rem_5.5rem] items-center gap-2 border-b border-line px-3 last:border-b-0"
        >
          <CodeText>{cell.capability}</CodeText>
          <span className="truncate text-soft">{capabilityWords[language][cell.capability].label}</span>
          <OutcomeMark outcome={cell.from} />
          <ArrowRight size={13} role="img" aria-label={t('becomes')} className="text-faint" />
          <span className="flex font-medium">
            <OutcomeMark outcome={cell.to} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Beside what opens, what that would have meant for past calls; a count that fails stands in nobody's way. */
function Past(props: { now: LevelInForce; to: AutonomyLevel; who: string }) {
  const t = usePastText();
  const past = useQuery(rpc.policy.compare, { scope: props.now.scope, to: props.to });
  if (past.problem && !past.data) return <ErrorStrip problem={past.problem} onRetry={past.refetch} />;
  if (!past.data) return <p className="text-soft">{t('loading')}</p>;
  return (
    <>
      <PastCalls comparison={past.data} />
      <div className="mt-1.5">
        <PastNote comparison={past.data} scope={props.who} />
      </div>
    </>
  );
}

function Grants(props: { preview: LevelPreview }) {
  return (
    <ul className="overflow-hidden rounded-md border border-line">
      {props.preview.grants_live.map((grant) => (
        <li key={grant.id} className="flex min-h-8 items-center gap-3 border-b border-line px-3 py-1 last:border-b-0">
          <CodeText className="w-28 shrink-0">{grant.capability}</CodeText>
          <ForeignText mono text={grant.target} limit={300} className="min-w-0 flex-1 wrap-anywhere" />
          <span className="text-xs text-faint">
            <RelativeTime ms={grant.expires_ms} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/**
 * The second, distinct gesture of a raise (pipeline page, "Autonomy level"): what opens is shown as it
 * is now, a box says that it was read, and a button far from the switch does it. When what opens
 * changes meanwhile, the box is empty again.
 */
export function RaiseDialog(props: { now: LevelInForce; to: AutonomyLevel; onClose: () => void }) {
  const t = useLevelText();
  const ui = useUiText();
  const language = useLanguage();
  const scopeName = useScopeName();
  const cancel = useRef<HTMLButtonElement>(null);
  const { now, to } = props;
  const preview = useQuery(rpc.level.preview, { scope: now.scope, to });
  const [read, setRead] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [length, setLength] = useState<{ duration: Duration; custom: string }>({ duration: 'always', custom: '' });
  useSubscription(rpc.grants.changed, () => ({}), preview.refetch);
  useSubscription(rpc.level.changed, () => ({}), preview.refetch);

  const confirmation = preview.data?.confirmation;
  const ends = endOfRise(length.duration, length.custom, new Date());
  const ready = confirmation !== undefined && read === confirmation && !preview.problem && !busy;

  async function raise() {
    // Reckoned at the press: "1 hour" is an hour from now, not from when the dialog opened.
    const end = endOfRise(length.duration, length.custom, new Date());
    if (!ready || !end.ok) return;
    setBusy(true);
    setProblem(null);
    try {
      takeLevelState(
        await await rpc.level.set({
          scope: now.scope,
          to,
          confirmation,
          ...(end.until_ms === null ? {} : { until_ms: end.until_ms }),
        }),
      );
      showToast({
        text: t('raised', { scope: scopeName, level: ui(to) }),
        detail:
          end.until_ms === null
            ? t('raisedDetail')
            : t('fallsBack', { level: ui(now.level), when: exactTime(end.until_ms, language) }),
      });
      props.onClose();
    } catch (error) {
      setProblem(toProblem(error));
      setRead(null);
      preview.refetch();
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t('raise', { level: ui(to) })}
      description={t('raiseFor', { scope: now.pairing ? scopeName : t('defaultHelp'), from: ui(now.level) })}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        cancel.current?.focus();
      }}
      footer={
        <>
          <span className="mr-auto">
            <Checkbox
              checked={confirmation !== undefined && read === confirmation}
              onChange={(on) => setRead(on ? (confirmation ?? null) : null)}
              disabled={confirmation === undefined}
              label={t('read')}
            />
          </span>
          <Button ref={cancel} onClick={props.onClose}>
            {t('cancel', { level: ui(now.level) })}
          </Button>
          <Button look="primary" disabled={!ready || !ends.ok} onClick={raise}>
            {t('confirm', { level: ui(to) })}
          </Button>
        </>
      }
    >
      {problem && (
        <div className="mb-3">
          <ErrorStrip problem={problem} />
        </div>
      )}
      {preview.problem && <ErrorStrip problem={preview.problem} onRetry={preview.refetch} />}
      {preview.loading && (
        <>
          <span className="sr-only">{t('loading')}</span>
          <SkeletonRows rows={5} />
        </>
      )}
      {preview.data && (
        <>
          <Section title={t('opens', { count: preview.data.cells.filter((cell) => cell.opens).length })}>
            <Opens preview={preview.data} />
          </Section>
          <Section title={t('past')}>
            <Past now={now} to={to} who={now.pairing ? scopeName : t('defaultHelp')} />
          </Section>
          <Section title={t('forHow')}>
            <DurationField
              {...length}
              onChange={(duration, custom) => setLength({ duration, custom })}
              fallsBackTo={now.level}
            />
          </Section>
          {preview.data.grants_live.length === 0 ? (
            <p className="text-soft">{t('grantsNone')}</p>
          ) : (
            <Section title={t('grantsLive', { count: preview.data.grants_live.length })}>
              <Grants preview={preview.data} />
            </Section>
          )}
        </>
      )}
    </Dialog>
  );
}
