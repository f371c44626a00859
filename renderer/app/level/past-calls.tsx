import type { KeptCalls, LevelComparison } from '../../../shared/rpc/policy.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useUiText } from '../../ui/strings.ts';
import { exactTime } from '../../ui/time.logic.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { pastLines } from './past-calls.logic.ts';
import { usePastText } from './past-strings.ts';

/** What another level would have made of the calls of the last 30 days, in sentences. */
export function PastCalls(props: { comparison: LevelComparison }) {
  const t = usePastText();
  const ui = useUiText();
  const { calls, to, guard_blocks, judge_blocks, kept } = props.comparison;
  const nothing = calls.length === 0 && guard_blocks + judge_blocks === 0;
  if (nothing) return <p className="text-soft">{t(kept.days === 0 ? 'off' : 'none')}</p>;
  const lines = pastLines(calls);
  return (
    <>
      <p>{t('lead', { level: ui(to) })}</p>
      <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-4.5 marker:text-faint" data-testid="past-calls">
        {lines.length === 0 && <li>{t('same')}</li>}
        {lines.map(({ was, would, calls: count, total }) => (
          <li key={`${was} ${would}`} data-was={was} data-would={would} data-calls={count}>
            {t(`line.${was}.${would}` as 'line.allowed.denied', { calls: count, total })}
          </li>
        ))}
        <li data-guard-blocks={guard_blocks}>
          {guard_blocks === 0 ? t('guardNone') : t('guard', { count: guard_blocks })}
        </li>
      </ul>
    </>
  );
}

/** What the figures are made from, and what they leave out. @param props.scope whose calls, in words */
export function PastNote(props: { comparison: LevelComparison; scope: string }) {
  const t = usePastText();
  const { kept, since_ms, unclear } = props.comparison;
  return (
    <div className="flex flex-col gap-1.5 text-xs text-faint">
      <p className="wrap-anywhere">{t('what', { scope: props.scope })}</p>
      {unclear > 0 && <p>{t('unclear', { count: unclear })}</p>}
      <KeptSince kept={kept} since={since_ms} />
    </div>
  );
}

/** Says so where fewer calls are kept than were to be counted. @param props.since start of what is counted, Unix ms */
export function KeptSince(props: { kept: KeptCalls; since: number }) {
  const t = usePastText();
  const language = useLanguage();
  const { days, oldest_ms, problem } = props.kept;
  if (problem !== null) {
    return (
      <p role="alert" className="text-deny wrap-anywhere">
        <ForeignText text={problem} limit={600} />
      </p>
    );
  }
  if (days === 0) return <p>{t('off')}</p>;
  if (oldest_ms === null) return <p>{t('noneYet')}</p>;
  if (oldest_ms <= props.since) return null;
  return <p>{t('since', { when: exactTime(oldest_ms, language) })}</p>;
}
