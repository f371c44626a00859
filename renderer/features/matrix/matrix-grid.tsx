import { ArrowLeftRight, KeyRound, Zap } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import {
  AUTONOMY_LEVELS,
  type AutonomyLevel,
  type Capability,
  type CapabilityName,
} from '../../../shared/domain/capability.ts';
import type { MatrixCell } from '../../../shared/rpc/policy.ts';
import { capabilityWords } from '../../app/i18n/capability-words.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { cx } from '../../ui/cx.ts';
import { LevelMark } from '../../ui/level-mark.tsx';
import { OutcomeMark, OutcomeSign } from '../../ui/outcome-mark.tsx';
import { useUiText } from '../../ui/strings.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { type CellPosition, countOutcomes, indexCells, moveCell } from './matrix.logic.ts';
import { useMatrixText } from './strings.ts';

export interface CellKey {
  level: AutonomyLevel;
  capability: CapabilityName;
}

const OUTCOMES = ['allowed', 'approval_required', 'denied'] as const;

/**
 * Thirteen rows, three columns (policy page, section 2). One cell has the focus; arrows, Home, End and
 * the page keys move it, Enter and Space open it. While a cell is open the open one follows the focus.
 */
export function MatrixGrid(props: {
  capabilities: readonly Capability[];
  cells: readonly MatrixCell[];
  /** The level in force, null where none is (unknown, or a revoked pairing). */
  inForce: AutonomyLevel | null;
  open: CellKey | null;
  onOpen: (cell: CellKey | null) => void;
  /** How often a cell fired; null where that is not known. */
  fired: (level: AutonomyLevel, capability: CapabilityName) => number | null;
  /** The level whose column is held against the one in force. */
  compared: AutonomyLevel | null;
  onCompare: (level: AutonomyLevel | null) => void;
}) {
  const t = useMatrixText();
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<CellPosition>({ row: 0, col: 0 });
  const find = indexCells(props.cells);

  function keyAt(position: CellPosition): CellKey | null {
    const capability = props.capabilities[position.row];
    const level = AUTONOMY_LEVELS[position.col];
    return capability && level ? { level, capability: capability.name } : null;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      props.onOpen(keyAt(at));
      return;
    }
    if (event.key === 'Escape' && props.open) {
      event.preventDefault();
      props.onOpen(null);
      return;
    }
    const next = moveCell(at, event.key, props.capabilities.length, AUTONOMY_LEVELS.length, event.ctrlKey);
    if (!next) return;
    event.preventDefault();
    setAt(next);
    grid.current?.querySelector<HTMLElement>(`[data-row="${next.row}"][data-col="${next.col}"]`)?.focus();
    if (props.open) props.onOpen(keyAt(next));
  }

  return (
    <table
      ref={grid}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern for a table whose cells are operated
      role="grid"
      aria-label={t('title')}
      className="w-full table-fixed border-separate border-spacing-0 text-left"
    >
      <colgroup>
        <col className="w-[36%]" />
        {AUTONOMY_LEVELS.map((level) => (
          <col key={level} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th
            scope="col"
            className="sticky top-0 z-10 border-b border-line bg-canvas px-4 pb-2 align-bottom text-xs font-medium text-faint"
          >
            {t('capability')}
          </th>
          {AUTONOMY_LEVELS.map((level) => (
            <LevelHead
              key={level}
              level={level}
              cells={props.cells}
              inForce={props.inForce === level}
              compared={props.compared === level}
              onCompare={
                props.inForce === null || props.inForce === level
                  ? null
                  : () => props.onCompare(props.compared === level ? null : level)
              }
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {props.capabilities.map((capability, row) => (
          <tr key={capability.name} className="group">
            <CapabilityHead capability={capability} />
            {AUTONOMY_LEVELS.map((level, col) => {
              const cell = find(level, capability.name);
              const open = props.open?.level === level && props.open.capability === capability.name;
              return (
                <td
                  key={level}
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: part of the grid above
                  role="gridcell"
                  tabIndex={at.row === row && at.col === col ? 0 : -1}
                  aria-selected={open}
                  data-row={row}
                  data-col={col}
                  data-level={level}
                  data-capability={capability.name}
                  data-outcome={cell?.outcome}
                  data-rule={cell?.rule}
                  data-grants={cell?.grant_ids.length ?? 0}
                  data-fired={props.fired(level, capability.name)}
                  onKeyDown={onKeyDown}
                  onClick={() => {
                    setAt({ row, col });
                    props.onOpen(open ? null : { level, capability: capability.name });
                  }}
                  onFocus={() => setAt({ row, col })}
                  className={cx(
                    'h-10.5 border-b border-line px-4 select-none inset-focus max-[1100px]:px-3',
                    props.inForce === level && 'bg-accent-soft/45',
                    open
                      ? 'bg-selected'
                      : props.compared === level
                        ? 'bg-selected/60 hover:bg-hover'
                        : 'hover:bg-hover',
                  )}
                >
                  {cell && (
                    <span className="flex flex-wrap items-center gap-x-2.5 leading-4">
                      <OutcomeMark outcome={cell.outcome} />
                      <span className="ml-auto flex items-center gap-2">
                        <GrantCount count={cell.grant_ids.length} />
                        <FiredCount times={props.fired(level, capability.name)} />
                      </span>
                    </span>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LevelHead(props: {
  level: AutonomyLevel;
  cells: readonly MatrixCell[];
  inForce: boolean;
  compared: boolean;
  /** null: there is nothing to hold it against. */
  onCompare: (() => void) | null;
}) {
  const t = useMatrixText();
  const counts = countOutcomes(props.cells, props.level);
  return (
    <th
      scope="col"
      data-level={props.level}
      data-in-force={props.inForce}
      className={cx(
        'sticky top-0 z-10 border-b px-4 pt-3 pb-2 align-bottom font-normal max-[1100px]:px-3',
        props.inForce
          ? 'border-accent bg-[color-mix(in_oklab,var(--accent-soft)_45%,var(--canvas))]'
          : 'border-line bg-canvas',
      )}
    >
      <span className="@container flex h-6 items-center justify-between gap-1">
        <span className={cx('min-w-0 font-semibold', props.inForce ? 'text-accent' : 'text-ink')}>
          <LevelMark level={props.level} />
        </span>
        {props.onCompare && <CompareButton level={props.level} pressed={props.compared} onClick={props.onCompare} />}
      </span>
      <span className="mt-1 flex h-4.5 items-center gap-2.5 text-xs text-faint">
        {OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
          const words = t(`summary.${outcome}`, { count: counts[outcome] });
          return (
            <span key={outcome} title={words} className="inline-flex items-center gap-1">
              <OutcomeSign outcome={outcome} size={10} />
              <span aria-hidden>{counts[outcome]}</span>
              <span className="sr-only">{words}</span>
            </span>
          );
        })}
        {props.inForce && (
          <span className="ml-auto">
            <Badge tone="accent">{t('inForce')}</Badge>
          </span>
        )}
      </span>
    </th>
  );
}

/** Its word gives way where the column is narrow; its name stays. */
function CompareButton(props: { level: AutonomyLevel; pressed: boolean; onClick: () => void }) {
  const t = useMatrixText();
  const ui = useUiText();
  const name = t('compare.label', { level: ui(props.level) });
  return (
    <Button
      size="sm"
      look={props.pressed ? 'default' : 'quiet'}
      icon={ArrowLeftRight}
      aria-pressed={props.pressed}
      aria-label={name}
      title={name}
      className="-mr-2 @max-[13rem]:px-1.5"
      onClick={props.onClick}
    >
      <span className="@max-[13rem]:hidden">{t('compare')}</span>
    </Button>
  );
}

function CapabilityHead(props: { capability: Capability }) {
  const t = useMatrixText();
  const language = useLanguage();
  const { name, critical, default_approval } = props.capability;
  const words = capabilityWords[language][name];
  return (
    <th scope="row" className="border-b border-line px-4 font-normal group-hover:bg-hover">
      <span className="@container block">
        <span className="flex items-center gap-1.5">
          <span className="min-w-0 flex-1" title={words.sentence}>
            <CodeText className="block truncate leading-4">{name}</CodeText>
            <span className="block truncate text-xs text-faint">{words.label}</span>
          </span>
          <span className="flex flex-col items-end gap-px @min-[17rem]:flex-row @min-[17rem]:gap-1.5">
            {critical && (
              <Tooltip text={t('critical.help')}>
                <span className="flex">
                  <Badge tone="deny">{t('critical')}</Badge>
                </span>
              </Tooltip>
            )}
            {default_approval === 'always' && (
              <Tooltip text={t('always.help')}>
                <span className="flex">
                  <Badge tone="ask">{t('always')}</Badge>
                </span>
              </Tooltip>
            )}
          </span>
        </span>
      </span>
    </th>
  );
}

function GrantCount(props: { count: number }) {
  const t = useMatrixText();
  if (props.count === 0) return null;
  return (
    <span
      title={t('grants.pierce', { count: props.count })}
      className="inline-flex items-center gap-1 text-xs text-accent"
    >
      <KeyRound aria-hidden size={12} strokeWidth={1.75} />
      <span aria-hidden>{props.count}</span>
      <span className="sr-only">{t('grants', { count: props.count })}</span>
    </span>
  );
}

/** How often the cell fired in the last seven days; nothing where that is not known. */
function FiredCount(props: { times: number | null }) {
  const t = useMatrixText();
  const { times } = props;
  if (times === null) return null;
  const words = t('fired', { count: times });
  return (
    <span
      title={words}
      className="inline-flex min-w-6 items-center justify-end gap-0.5 text-xs text-faint tabular-nums"
    >
      {times > 0 && <Zap aria-hidden size={11} strokeWidth={1.75} />}
      <span aria-hidden>{t('fired.times', { count: times })}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
