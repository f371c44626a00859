import { ArrowRight } from 'lucide-react';
import { type AutonomyLevel, CAPABILITY_NAMES } from '../../../shared/domain/capability.ts';
import type { LevelComparison } from '../../../shared/rpc/policy.ts';
import type { LevelInForce } from '../../app/level/level.logic.ts';
import { changesByCapability } from '../../app/level/past-calls.logic.ts';
import { PastCalls, PastNote } from '../../app/level/past-calls.tsx';
import { usePastText } from '../../app/level/past-strings.ts';
import { useRecount } from '../../app/use-recount.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { LevelMark } from '../../ui/level-mark.tsx';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { Section, SidePanel } from '../../ui/side-panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useUiText } from '../../ui/strings.ts';
import { useMatrixText } from './strings.ts';

/** A level held against the one in force, by the calls of the last 30 days (ui page, "Matrix"). Changes nothing. */
export function ComparePanel(props: {
  now: LevelInForce;
  /** Whose calls, in words; null: everyone without a pairing. */
  who: string | null;
  to: AutonomyLevel;
  onClose: () => void;
}) {
  const t = useMatrixText();
  const past = usePastText();
  const ui = useUiText();
  const { now, to } = props;
  const { data, problem, loading, refetch } = useQuery(rpc.policy.compare, { scope: now.scope, to });
  useRecount(refetch);
  return (
    <SidePanel
      onClose={props.onClose}
      title={
        <span className="flex items-center gap-2.5">
          <LevelMark level={to} />
          <span className="font-normal text-soft">{t('compare.with', { level: ui(now.level) })}</span>
        </span>
      }
    >
      {problem && <ErrorStrip problem={problem} onRetry={refetch} />}
      {loading && <SkeletonRows rows={5} />}
      {data && (
        <>
          <Section title={t('compare.past')}>
            <PastCalls comparison={data} />
          </Section>
          <Section title={t('compare.by')}>
            <ByCapability comparison={data} />
          </Section>
          <Section title={t('compare.what')}>
            <PastNote comparison={data} scope={props.who ?? past('default')} />
          </Section>
        </>
      )}
    </SidePanel>
  );
}

function ByCapability(props: { comparison: LevelComparison }) {
  const t = useMatrixText();
  const changes = changesByCapability(props.comparison.calls, CAPABILITY_NAMES);
  if (changes.length === 0) return <p className="text-soft">{t('compare.same')}</p>;
  return (
    <ul className="divide-y divide-line rounded-md border border-line bg-canvas">
      {changes.map(({ capability, lines }) => (
        <li key={capability} data-changes={capability} className="px-2.5 py-1.5">
          <CodeText className="block">{capability}</CodeText>
          {lines.map(({ was, would, calls }) => (
            <span key={`${was} ${would}`} className="mt-0.5 flex items-center gap-2 text-xs">
              <OutcomeMark outcome={was} size={11} />
              <ArrowRight size={12} role="img" aria-label={t('compare.becomes')} className="shrink-0 text-faint" />
              <OutcomeMark outcome={would} size={11} />
              <span className="ml-auto text-faint tabular-nums">{t('calls', { count: calls })}</span>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
