import { autonomyLevelSchema } from '../../shared/domain/capability.ts';
import type { DecisionKind, DecisionRow } from '../../shared/domain/decision.ts';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import { DecisionMark } from '../app/line/decision-mark.tsx';
import { StageList } from '../app/line/stage-list.tsx';
import { approvalsHref, grantsHref } from '../app/links.ts';
import { rpc } from '../rpc/client.ts';
import { useQuery } from '../rpc/hooks.ts';
import { ErrorStrip } from '../ui/error-state.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { Section } from '../ui/side-panel.tsx';
import { useUiText } from '../ui/strings.ts';
import { useVerdictText } from './strings.ts';

const LINK = 'text-accent underline decoration-dotted underline-offset-2';
/** Two verdicts may share a time; more than a few never do. */
const SAME_TIME = 10;
/** Their word already says who decided. */
const SAYS_WHO: ReadonlySet<DecisionKind> = new Set(['rejected', 'expired', 'withdrawn']);

/** What the line answered around this verdict, stage by stage; nothing for a verdict of another program. */
export function LineTrail(props: { row: VerdictRow; ts: number }) {
  const t = useVerdictText();
  const { data, problem, refetch } = useQuery(rpc.line.decisions, { verdict_ts: props.ts, limit: SAME_TIME });
  if (problem) {
    return (
      <Section title={t('trail.title')}>
        <ErrorStrip problem={problem} onRetry={refetch} />
      </Section>
    );
  }
  const found = data?.rows.filter(({ executor }) => executor === props.row.executor) ?? [];
  const [decision] = found;
  if (decision === undefined) return null;
  return (
    <Section title={t('trail.title')}>
      <p className="mb-1.5 flex flex-wrap items-center gap-x-3" data-testid="trail" data-decision={decision.decision}>
        <DecisionMark decision={decision.decision} />
        {!SAYS_WHO.has(decision.decision) && <span className="text-soft">{t(`by.${decision.decided_by}`)}</span>}
      </p>
      <StageList trail={decision.stages} />
      <About decision={decision} />
      {found.length > 1 && <p className="mt-1.5 text-xs text-faint">{t('trail.several', { count: found.length })}</p>}
    </Section>
  );
}

/** For whom, for what, and by which grant or card. */
function About(props: { decision: DecisionRow }) {
  const t = useVerdictText();
  const ui = useUiText();
  const { channel, sender_id, capability, target, level, grant_id, approval_token, error } = props.decision;
  const known = autonomyLevelSchema.safeParse(level).data;
  return (
    <dl className="mt-1.5 grid grid-cols-[4.5rem_1fr] gap-y-0.5">
      <dt className="text-faint">{t('trail.sender')}</dt>
      <dd className="wrap-anywhere">
        <ForeignText text={`${channel} / ${sender_id}`} limit={200} />
      </dd>
      {capability !== null && (
        <>
          <dt className="text-faint">{t('trail.needs')}</dt>
          <dd className="wrap-anywhere">
            <ForeignText mono text={capability} limit={200} />
            {target !== null && <ForeignText mono text={target} limit={4096} className="ml-2 text-soft" />}
          </dd>
        </>
      )}
      {level !== null && (
        <>
          <dt className="text-faint">{t('trail.level')}</dt>
          <dd>{known ? ui(known) : <ForeignText text={level} limit={40} />}</dd>
        </>
      )}
      {grant_id !== null && (
        <>
          <dt className="text-faint">{t('trail.grant')}</dt>
          <dd>
            <a className={LINK} href={grantsHref({ channel, sender: sender_id, all: true })}>
              {t('trail.grantNumber', { id: grant_id })}
            </a>
          </dd>
        </>
      )}
      {approval_token !== null && (
        <>
          <dt className="text-faint">{t('trail.card')}</dt>
          <dd>
            <a className={LINK} href={approvalsHref({ view: 'decided', card: approval_token })}>
              {t('trail.look')}
            </a>
          </dd>
        </>
      )}
      {error !== null && (
        <>
          <dt className="text-faint">{t('trail.error')}</dt>
          <dd className="text-deny wrap-anywhere">
            <ForeignText text={error} limit={1000} />
          </dd>
        </>
      )}
    </dl>
  );
}
