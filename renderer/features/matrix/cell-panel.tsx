import { KeyRound } from 'lucide-react';
import type { Capability } from '../../../shared/domain/capability.ts';
import type { GrantView } from '../../../shared/domain/grant.ts';
import type { Fired, MatrixCell } from '../../../shared/rpc/policy.ts';
import { capabilityWords } from '../../app/i18n/capability-words.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { LevelMark } from '../../ui/level-mark.tsx';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section, SidePanel } from '../../ui/side-panel.tsx';
import { useUiText } from '../../ui/strings.ts';
import { CellCalls } from './cell-calls.tsx';
import { GrantsLink } from './grants-link.tsx';
import { type Openings, openings } from './matrix.logic.ts';
import { useMatrixText } from './strings.ts';

/** Why one cell is as it is, what would open it, and the grants that let calls through. */
export function CellPanel(props: {
  cell: MatrixCell;
  capability: Capability;
  cells: readonly MatrixCell[];
  grants: readonly GrantView[];
  fired: Fired | undefined;
  onClose: () => void;
}) {
  const t = useMatrixText();
  const language = useLanguage();
  const { cell, capability } = props;
  const piercing = props.grants.filter((grant) => cell.grant_ids.includes(grant.id));
  return (
    <SidePanel
      onClose={props.onClose}
      title={
        <span className="flex items-center gap-2.5">
          <CodeText>{cell.capability}</CodeText>
          <span className="text-soft font-normal">
            <LevelMark level={cell.level} />
          </span>
        </span>
      }
    >
      <div className="mb-4">
        <div className="text-lg font-semibold" data-testid="cell-outcome">
          <OutcomeMark outcome={cell.outcome} size={15} />
        </div>
        <p className="mt-1 text-soft">{capabilityWords[language][cell.capability].sentence}</p>
      </div>
      <Section title={t('panel.why')}>
        <p>{t(`rule.${cell.rule}`)}</p>
      </Section>
      <Section title={t('panel.opens')}>
        <WhatOpens cell={cell} capability={capability} openings={openings(props.cells, cell.capability)} />
      </Section>
      <Section title={t('panel.grants')}>
        {piercing.length === 0 ? (
          <p className="text-soft">{t(noGrantsReason(cell, capability))}</p>
        ) : (
          <>
            <ul className="mb-2 divide-y divide-line rounded-md border border-line bg-canvas">
              {piercing.map((grant) => (
                <li key={grant.id} className="px-2.5 py-1.5">
                  <div className="flex items-start gap-1.5">
                    <KeyRound aria-hidden size={12} strokeWidth={1.75} className="mt-1 shrink-0 text-accent" />
                    <ForeignText text={grant.target} mono limit={300} className="min-w-0 wrap-anywhere" />
                  </div>
                  <div className="mt-0.5 flex justify-between gap-3 pl-4.5 text-xs text-faint">
                    <span className="min-w-0 truncate">
                      <ForeignText text={`${grant.channel} / ${grant.sender_id}`} limit={120} />
                    </span>
                    <RelativeTime ms={grant.expires_ms} absent={t('panel.forever')} />
                  </div>
                </li>
              ))}
            </ul>
            <GrantsLink capability={cell.capability}>{t('panel.toGrants')}</GrantsLink>
          </>
        )}
      </Section>
      <CellCalls key={`${cell.level} ${cell.capability}`} cell={cell} fired={props.fired} />
    </SidePanel>
  );
}

function noGrantsReason(cell: MatrixCell, capability: Capability) {
  if (cell.outcome === 'allowed') return 'panel.grantsNot.allowed' as const;
  if (cell.outcome === 'denied') return 'panel.grantsNot.denied' as const;
  return capability.default_approval === 'always' ? ('panel.grantsNot.always' as const) : ('panel.noGrants' as const);
}

function WhatOpens(props: { cell: MatrixCell; capability: Capability; openings: Openings }) {
  const t = useMatrixText();
  const level = useUiText();
  const { cell, capability } = props;
  const { asks, allows } = props.openings;
  if (cell.outcome === 'allowed') return <p className="text-soft">{t('open.already')}</p>;
  return (
    <ul className="flex flex-col gap-1">
      {cell.outcome === 'denied' && asks && <li>{t('open.asks', { level: level(asks) })}</li>}
      {cell.outcome === 'approval_required' && capability.default_approval === 'per_target' && (
        <li>{t('open.grant')}</li>
      )}
      <li>{allows ? t('open.allows', { level: level(allows) }) : t('open.neverFree')}</li>
    </ul>
  );
}
