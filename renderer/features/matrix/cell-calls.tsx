import type { DecisionRow } from '../../../shared/domain/decision.ts';
import type { Fired, MatrixCell } from '../../../shared/rpc/policy.ts';
import { KeptSince } from '../../app/level/past-calls.tsx';
import { DecisionMark } from '../../app/line/decision-mark.tsx';
import { auditHref, turnsHref } from '../../app/links.ts';
import { useRecount } from '../../app/use-recount.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/side-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { firedIn } from './matrix.logic.ts';
import { useMatrixText } from './strings.ts';

const SHOWN = 20;

/** How often a cell fired, and the last calls that fell in it, each leading to its whole trail. */
export function CellCalls(props: { cell: MatrixCell; fired: Fired | undefined }) {
  const t = useMatrixText();
  const { fired, cell } = props;
  const { level, capability } = cell;
  const { data, problem, loading, refetch } = useQuery(rpc.policy.calls, { level, capability, limit: SHOWN });
  useRecount(refetch);
  const times = fired && firedIn(fired, level, capability);
  return (
    <Section title={t('panel.calls')}>
      {times !== undefined && times !== null && <p className="mb-1.5">{t('fired', { count: times })}</p>}
      {problem && <ErrorStrip problem={problem} onRetry={refetch} />}
      {loading && <Skeleton className="w-3/5" />}
      {data && data.rows.length > 0 && (
        <ol
          aria-label={t('panel.calls')}
          className="mb-1.5 divide-y divide-line rounded-md border border-line bg-canvas"
        >
          {data.rows.map((row) => (
            <CallRow key={row.id} row={row} />
          ))}
        </ol>
      )}
      <div className="flex flex-col gap-1 text-xs text-faint">
        {data?.more && <p>{t('panel.lastOnly', { count: SHOWN })}</p>}
        {data && data.rows.length === 0 && data.kept.oldest_ms !== null && <p>{t('panel.noCalls')}</p>}
        {data && <KeptSince kept={data.kept} since={fired?.since_ms ?? 0} />}
        <p>{t('panel.which')}</p>
      </div>
    </Section>
  );
}

function CallRow(props: { row: DecisionRow }) {
  const { row } = props;
  const href = trailOf(row);
  const executor = <ForeignText text={row.executor} mono limit={120} />;
  return (
    <li className="px-2.5 py-1.5" data-decision={row.id}>
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate">
          {href === null ? (
            executor
          ) : (
            <a href={href} className="rounded-sm text-accent hover:text-accent-strong">
              {executor}
            </a>
          )}
        </span>
        <span className="shrink-0 text-xs">
          <DecisionMark decision={row.decision} size={11} />
        </span>
      </div>
      {row.target !== null && (
        <ForeignText text={row.target} mono limit={300} className="block text-xs wrap-anywhere text-soft" />
      )}
      <div className="mt-0.5 flex justify-between gap-3 text-xs text-faint">
        <span className="min-w-0 truncate">
          <ForeignText text={`${row.channel} / ${row.sender_id}`} limit={120} />
        </span>
        <RelativeTime ms={row.at} />
      </div>
    </li>
  );
}

/** Two lines of a verdict log are further apart than this, seconds. */
const MOMENT = 0.001;

/** Its turn, else its verdict; null where neither is known. */
function trailOf({ turn_id, verdict_ts }: DecisionRow): string | null {
  if (turn_id !== null) return turnsHref({ turn: turn_id });
  return verdict_ts === null ? null : auditHref({ show: 'verdicts', from: verdict_ts, to: verdict_ts + MOMENT });
}
