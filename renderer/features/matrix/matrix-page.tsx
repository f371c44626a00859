import { Ban, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { AutonomyLevel } from '../../../shared/domain/capability.ts';
import { pairingName } from '../../app/level/level.logic.ts';
import { useLevelInForce, useLevels } from '../../app/level/level.store.ts';
import { useAt } from '../../app/use-at.ts';
import { useRecount } from '../../app/use-recount.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { cx } from '../../ui/cx.ts';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { CellPanel } from './cell-panel.tsx';
import { ComparePanel } from './compare-panel.tsx';
import { firedIn, indexCells, nextExpiry } from './matrix.logic.ts';
import { type CellKey, MatrixGrid } from './matrix-grid.tsx';
import { MatrixLegend } from './matrix-legend.tsx';
import { useMatrixText } from './strings.ts';

/** What each level lets the agent do, and why (ui page, "Matrix"). */
export function MatrixPage() {
  const t = useMatrixText();
  const [open, setOpenCell] = useState<CellKey | null>(null);
  const [compared, setCompared] = useState<AutonomyLevel | null>(null);
  const setOpen = (cell: CellKey | null) => {
    setOpenCell(cell);
    setCompared(null);
  };
  const matrix = useQuery(rpc.policy.matrix, {});
  const grants = useQuery(rpc.grants.list, {});
  const fired = useQuery(rpc.policy.fired, {});
  useRecount(fired.refetch);
  const refetch = () => {
    matrix.refetch();
    grants.refetch();
    fired.refetch();
  };
  useSubscription(rpc.grants.changed, () => ({}), refetch);
  // The engine counts a grant as long as it lives; when the next one runs out it has to be asked again.
  useAt(nextExpiry(grants.data?.grants ?? []), refetch);
  const inForce = useLevelInForce();
  const stateKnown = useLevels((levels) => levels.state !== null);

  const now = stateKnown && inForce && !inForce.revoked ? inForce : null;
  const grantsProblem = grants.data?.problem ?? null;
  const data = matrix.data;
  const cell = data && open ? indexCells(data.cells)(open.level, open.capability) : null;
  const capability = data?.capabilities.find((each) => each.name === cell?.capability);
  const who = inForce?.pairing ? foreignToPlain(pairingName(inForce.pairing)) : null;

  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('title')} lead={<span className="max-[1100px]:hidden">{t('lead')}</span>}>
        {inForce && !inForce.revoked && (
          <span className="text-xs text-faint">
            {who === null ? t('inForce.default') : t('inForce.pairing', { who })}
          </span>
        )}
      </PageHeader>
      {matrix.problem && data && (
        <div className="px-4 py-2">
          <ErrorStrip problem={matrix.problem} onRetry={refetch} />
        </div>
      )}
      {fired.problem && (
        <div className="px-4 py-2">
          <ErrorStrip problem={fired.problem} onRetry={fired.refetch} />
        </div>
      )}
      {grantsProblem !== null && (
        <p role="alert" className="flex items-start gap-2 border-b border-line bg-deny-soft px-4 py-2">
          <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-0.75 shrink-0 text-deny" />
          <span className="min-w-0 wrap-anywhere">
            {t('grants.problem')} <ForeignText text={grantsProblem} className="text-soft" />
          </span>
        </p>
      )}
      {inForce?.revoked && who !== null && (
        <p role="status" className="flex items-center gap-2 border-b border-line bg-deny-soft px-4 py-2">
          <Ban aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-deny" />
          {t('inForce.revoked', { who })}
        </p>
      )}
      <div
        className={cx(
          'relative flex min-h-0 flex-1',
          // In a narrow window the panel would lie over the very cell that it explains.
          'max-[1100px]:[&>aside]:static max-[1100px]:[&>aside]:w-72 max-[1100px]:[&>aside]:shadow-none',
        )}
      >
        <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-auto">
          {matrix.loading && <SkeletonRows rows={14} />}
          {!data && matrix.problem && <ErrorState problem={matrix.problem} onRetry={refetch} />}
          {data && (
            <MatrixGrid
              capabilities={data.capabilities}
              cells={data.cells}
              inForce={now?.level ?? null}
              open={open}
              onOpen={setOpen}
              fired={(level, name) => (fired.data ? firedIn(fired.data, level, name) : null)}
              compared={compared}
              onCompare={(level) => {
                setOpen(null);
                setCompared(level);
              }}
            />
          )}
          {data && <MatrixLegend fired={fired.data} />}
        </div>
        {data && cell && capability && (
          <CellPanel
            cell={cell}
            capability={capability}
            cells={data.cells}
            grants={grants.data?.grants ?? []}
            fired={fired.data}
            onClose={() => setOpen(null)}
          />
        )}
        {data && now && compared && compared !== now.level && (
          <ComparePanel now={now} who={who} to={compared} onClose={() => setCompared(null)} />
        )}
      </div>
    </div>
  );
}
