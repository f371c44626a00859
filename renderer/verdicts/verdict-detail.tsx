import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import { useLanguage } from '../app/i18n/i18n.ts';
import { useInfo } from '../app/info.store.ts';
import { turnsHref } from '../app/links.ts';
import { rpc } from '../rpc/client.ts';
import { useQuery } from '../rpc/hooks.ts';
import { Button } from '../ui/button.tsx';
import { CodeText } from '../ui/code-text.tsx';
import { ErrorStrip } from '../ui/error-state.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { OutcomeMark } from '../ui/outcome-mark.tsx';
import { PhaseMark } from '../ui/phase-mark.tsx';
import { Section, SidePanel } from '../ui/side-panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useUiText } from '../ui/strings.ts';
import { exactTime } from '../ui/time.logic.ts';
import { LineTrail } from './line-trail.tsx';
import { ReasonView } from './reason-view.tsx';
import { useVerdictText } from './strings.ts';

const RAW_LIMIT = 20_000;
const KNOWN_JUDGES = ['rule-based-v1', 'llm-v1', 'safe-verb-shortcut'] as const;

function Keys(props: { keys: readonly string[] }) {
  const t = useVerdictText();
  if (props.keys.length === 0) return <span className="text-faint">{t('detail.none')}</span>;
  return (
    <ul className="flex flex-wrap gap-1">
      {props.keys.map((key) => (
        <li key={key} className="max-w-full rounded-sm border border-line bg-canvas px-1.5 wrap-anywhere">
          <ForeignText mono text={key} limit={200} />
        </li>
      ))}
    </ul>
  );
}

function CopyButton(props: { text: string }) {
  const t = useVerdictText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size="sm"
      icon={copied ? Check : Copy}
      onClick={() =>
        navigator.clipboard.writeText(props.text).then(
          () => setCopied(true),
          () => setCopied(false),
        )
      }
    >
      {copied ? t('detail.copied') : t('detail.copy')}
    </Button>
  );
}

function Raw(props: { seq: number }) {
  const t = useVerdictText();
  const raw = useQuery(rpc.audit.raw, { seq: props.seq });
  if (raw.problem) return <ErrorStrip problem={raw.problem} onRetry={raw.refetch} />;
  if (!raw.data) {
    return (
      <div role="status">
        <span className="sr-only">{t('detail.rawLoading')}</span>
        <Skeleton className="w-full" />
      </div>
    );
  }
  if (raw.data.text === null) return <p className="text-deny wrap-anywhere">{raw.data.problem}</p>;
  return (
    <>
      <pre
        data-testid="raw"
        className="max-h-60 overflow-y-auto leading-4 rounded-md border border-line bg-canvas px-2.5 py-2 whitespace-pre-wrap wrap-anywhere select-text"
      >
        <ForeignText mono text={raw.data.text} limit={RAW_LIMIT} />
      </pre>
      <div className="mt-1.5">
        <CopyButton text={raw.data.text} />
      </div>
    </>
  );
}

/** The turn whose step it judged, where one is found. */
function InTurn(props: { row: VerdictRow; ts: number }) {
  const t = useVerdictText();
  const { seq, executor, intent } = props.row;
  const { data, problem, refetch } = useQuery(rpc.turns.ofVerdict, { seq, ts: props.ts, executor, intent });
  if (problem) return <ErrorStrip problem={problem} onRetry={refetch} />;
  if (!data) return <Skeleton className="w-2/3" />;
  if (data.found === null) return <p className="text-faint">{t('detail.noTurn')}</p>;
  const { key, index, sure } = data.found;
  return (
    <p>
      <a
        className="text-accent underline decoration-dotted underline-offset-2"
        href={turnsHref({ turn: key, step: index })}
      >
        {t('detail.step', { number: index + 1 })}
      </a>{' '}
      <span className="text-xs text-faint">{t(sure ? 'detail.sure' : 'detail.likely')}</span>
    </p>
  );
}

/** Everything that the log says about one verdict. */
export function VerdictDetail(props: { row: VerdictRow; onClose: () => void }) {
  const t = useVerdictText();
  const ui = useUiText();
  const language = useLanguage();
  const threshold = useInfo((now) => now.info?.threshold ?? null);
  const { row } = props;
  const judge = KNOWN_JUDGES.find((each) => each === row.judge_kind);
  return (
    <SidePanel
      onClose={props.onClose}
      title={
        <span className="flex items-center gap-3">
          <OutcomeMark
            outcome={row.approved ? 'allowed' : 'denied'}
            word={ui(row.approved ? 'approved' : 'denied')}
            size={14}
          />
          {row.blocked_by !== null && (
            <span className="text-base font-normal">
              <PhaseMark phase={row.blocked_by} />
            </span>
          )}
        </span>
      }
    >
      <Section title={t('detail.intent')}>
        <p className="wrap-anywhere">
          {row.intent === '' ? <span className="text-faint">{t('noIntent')}</span> : <ForeignText text={row.intent} />}
        </p>
        <p className="mt-0.5 text-soft wrap-anywhere">
          <ForeignText mono text={row.executor === '' ? t('noExecutor') : row.executor} />
        </p>
      </Section>
      <ReasonView
        text={row.reason}
        rule={row.rule}
        score={row.score}
        judgeKind={row.judge_kind}
        contextKeys={row.context_keys}
        threshold={threshold}
      />
      {row.ts !== null && <LineTrail row={row} ts={row.ts} />}
      <Section title={t('detail.args')}>
        <Keys keys={row.args_keys} />
      </Section>
      <Section title={t('detail.context')}>
        <Keys keys={row.context_keys} />
      </Section>
      {row.ts !== null && (
        <Section title={t('detail.turn')}>
          <InTurn row={row} ts={row.ts} />
        </Section>
      )}
      <Section title={t('detail.source')}>
        <dl className="grid grid-cols-[4.5rem_1fr] gap-y-0.5">
          <dt className="text-faint">{t('detail.when')}</dt>
          <dd>{row.ts === null ? t('noTime') : exactTime(row.ts * 1000, language)}</dd>
          <dt className="text-faint">{t('detail.judge')}</dt>
          <dd>{judge ? t(`kind.${judge}`) : <ForeignText text={row.judge_kind} limit={80} />}</dd>
          <dt className="text-faint">{t('detail.file')}</dt>
          <dd>
            <CodeText>{row.file}</CodeText>, {t('detail.position', { offset: row.offset })}
          </dd>
        </dl>
      </Section>
      <Section title={t('detail.raw')}>
        <Raw seq={row.seq} />
      </Section>
    </SidePanel>
  );
}
