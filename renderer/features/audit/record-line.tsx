import { CircleDashed, LoaderCircle, type LucideIcon, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Integrity } from '../../../shared/domain/integrity.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { Popover } from '../../ui/popover.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { useAudit } from './audit.store.ts';
import { Findings, FindingText } from './findings.tsx';
import { useAuditText } from './strings.ts';

/** While a comparison runs, how often is asked how far it is, ms. */
const LOOK_MS = 400;

const SIGN: Record<Integrity['state'], readonly [LucideIcon, string]> = {
  verified: [ShieldCheck, 'text-allow'],
  finding: [ShieldAlert, 'text-deny'],
  unchecked: [CircleDashed, 'text-faint'],
  checking: [LoaderCircle, 'text-accent motion-safe:animate-spin'],
};

function useStateText(): (integrity: Integrity) => string {
  const t = useAuditText();
  const language = useLanguage();
  return (integrity) => {
    switch (integrity.state) {
      case 'verified':
        return integrity.verified_to === null
          ? t('record.nothing')
          : t('record.verified', { time: exactTime(integrity.verified_to * 1000, language) });
      case 'finding':
        return t('record.finding', { count: integrity.findings.length });
      case 'unchecked':
        return t('record.unchecked');
      case 'checking': {
        const { progress } = integrity;
        return progress === null || progress.total === 0
          ? t('record.checking')
          : t('record.checkingPart', { part: Math.floor((100 * progress.done) / progress.total) });
      }
      default:
        return integrity.state satisfies never;
    }
  };
}

/** How the record stands: verified to when, or which file and line changed; with the way to compare it now. */
export function RecordLine() {
  const t = useAuditText();
  const language = useLanguage();
  const say = useStateText();
  const { data, problem, refetch } = useQuery(rpc.audit.integrity, {});
  const short = useAudit((audit) => JSON.stringify(audit.index?.integrity ?? null));
  const [verifying, setVerifying] = useState(false);
  const [failed, setFailed] = useState<Problem | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the index says in short is the reason to ask
  useEffect(() => refetch(), [short, refetch]);
  const checking = verifying || data?.state === 'checking';
  useEffect(() => {
    if (!checking) return;
    const timer = setInterval(refetch, LOOK_MS);
    return () => clearInterval(timer);
  }, [checking, refetch]);

  async function verify() {
    setVerifying(true);
    setFailed(null);
    try {
      await rpc.audit.verify({});
    } catch (error) {
      setFailed(toProblem(error));
    }
    setVerifying(false);
    refetch();
  }

  if (failed ?? (problem && !data)) {
    return (
      <div className="px-4 py-2">
        <ErrorStrip problem={(failed ?? problem) as Problem} onRetry={() => void (failed ? verify() : refetch())} />
      </div>
    );
  }
  if (!data) return null;
  const shown: Integrity =
    verifying && data.state !== 'checking' ? { ...data, state: 'checking', progress: null } : data;
  const [Icon, ink] = SIGN[shown.state];
  const [first] = shown.findings;
  return (
    <div
      role="status"
      data-testid="record"
      data-state={shown.state}
      className={cx(
        'flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1',
        shown.state === 'finding' && 'bg-deny-soft',
      )}
    >
      <span className="inline-flex items-center gap-1.5">
        <Icon aria-hidden size={14} strokeWidth={1.75} className={cx('shrink-0', ink)} />
        <span className={cx('font-medium', shown.state === 'finding' && 'text-deny')}>{say(shown)}</span>
      </span>
      {shown.state === 'finding' && first !== undefined && <FindingText finding={first} />}
      {shown.acknowledged.length > 0 && (
        <span className="text-xs text-soft">{t('record.known', { count: shown.acknowledged.length })}</span>
      )}
      {shown.since !== null && (
        <span className="text-xs text-faint">
          {t('record.holds', {
            lines: shown.lines.toLocaleString(language),
            acts: shown.acts.toLocaleString(language),
            since: exactTime(shown.since * 1000, language),
          })}
        </span>
      )}
      <span className="ml-auto flex items-center gap-1">
        <Popover
          label={t('record.title')}
          width="28rem"
          trigger={
            <Button size="sm" look="quiet">
              {t(shown.findings.length > 0 ? 'record.review' : 'record.title')}
            </Button>
          }
        >
          <Findings integrity={shown} onChange={refetch} />
        </Popover>
        <Button size="sm" icon={ShieldCheck} disabled={checking} onClick={() => void verify()}>
          {t('record.verify')}
        </Button>
      </span>
    </div>
  );
}
