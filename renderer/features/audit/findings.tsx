import { Eye } from 'lucide-react';
import { useState } from 'react';
import type { Finding, Integrity } from '../../../shared/domain/integrity.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { showToast } from '../../ui/toast.store.ts';
import { byFile } from './findings.logic.ts';
import { useAuditText } from './strings.ts';

/** Which file and line, and what is wrong with it. */
export function FindingText(props: { finding: Finding }) {
  const t = useAuditText();
  const { file, line, last_line, kind, detail } = props.finding;
  const where =
    line === null
      ? file
      : last_line !== null && last_line !== line
        ? t('finding.lines', { file, line, last: last_line })
        : t('finding.line', { file, line });
  return (
    <span className="wrap-anywhere" title={detail}>
      <ForeignText mono text={where} limit={200} />: {t(`finding.${kind}`)}
    </span>
  );
}

function FindingItem(props: { finding: Finding }) {
  const t = useAuditText();
  const language = useLanguage();
  const { finding } = props;
  const { acknowledged_at, acknowledged_by } = finding;
  return (
    <li className="px-3 py-1" data-finding={finding.id}>
      <FindingText finding={finding} />
      <p className="text-xs text-faint wrap-anywhere">
        {t('record.found', { time: exactTime(finding.found_at * 1000, language) })}.{' '}
        <ForeignText text={finding.detail} limit={600} />
      </p>
      {acknowledged_at !== null && (
        <p className="text-xs text-soft wrap-anywhere">
          {t('record.acknowledgedAt', { time: exactTime(acknowledged_at * 1000, language) })}
          {acknowledged_by !== null && (
            <>
              {' · '}
              <ForeignText text={acknowledged_by} limit={80} />
            </>
          )}
        </p>
      )}
    </li>
  );
}

/** What the record found, open and acknowledged; and the way to acknowledge what is open, file by file. */
export function Findings(props: { integrity: Integrity; onChange: () => void }) {
  const t = useAuditText();
  const { integrity, onChange } = props;
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Problem | null>(null);

  async function acknowledge(ids: number[]) {
    setBusy(true);
    setFailed(null);
    try {
      await rpc.audit.acknowledge({ ids });
      showToast({ text: t('record.acknowledgeDone', { count: ids.length }) });
    } catch (error) {
      setFailed(toProblem(error));
    }
    setBusy(false);
    onChange();
  }

  return (
    <>
      <div className="border-b border-line px-3 py-2">
        <h2 className="font-semibold">{t('record.title')}</h2>
        <p className="text-xs text-soft text-pretty">{t('record.help')}</p>
        <p className="mt-1 text-xs text-faint">
          {t('record.checkedAt')}:{' '}
          <RelativeTime
            ms={integrity.checked_at === null ? null : integrity.checked_at * 1000}
            absent={t('record.never')}
          />
        </p>
      </div>
      {failed && (
        <div className="px-3 pt-2">
          <ErrorStrip problem={failed} />
        </div>
      )}
      {integrity.findings.length > 0 && (
        <section aria-label={t('record.open')} className="border-b border-line py-1 last:border-b-0">
          <p className="px-3 pt-1 text-xs text-soft text-pretty">{t('record.acknowledgeHelp')}</p>
          {byFile(integrity.findings).map(({ file, findings }) => (
            <div key={file} className="flex items-start gap-2 pr-3">
              <ul className="min-w-0 flex-1">
                {findings.map((finding) => (
                  <FindingItem key={finding.id} finding={finding} />
                ))}
              </ul>
              <Button
                size="sm"
                icon={Eye}
                disabled={busy || integrity.state === 'checking'}
                className="mt-1 shrink-0"
                aria-label={`${t('record.acknowledge')}: ${file}`}
                onClick={() => void acknowledge(findings.map(({ id }) => id))}
              >
                {t('record.acknowledge')}
              </Button>
            </div>
          ))}
          <p role="status" className="px-3 text-xs text-faint">
            {busy && t('record.acknowledging')}
          </p>
        </section>
      )}
      {integrity.acknowledged.length > 0 && (
        <section aria-label={t('record.acknowledged')} className="py-1">
          <h3 className="px-3 pt-1 text-xs font-medium text-faint">{t('record.acknowledged')}</h3>
          <ul>
            {integrity.acknowledged.map((finding) => (
              <FindingItem key={finding.id} finding={finding} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
