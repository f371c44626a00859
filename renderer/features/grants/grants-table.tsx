import { type KeyboardEvent, useRef } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { type Sort, SortableTh, Table, Th } from '../../ui/table.tsx';
import { GrantRow } from './grant-row.tsx';
import { GRANT_COLUMNS, type GrantColumn, stateAt } from './grants.logic.ts';
import { NARROW } from './narrow.ts';
import { type Selection, toggle, toggleAll } from './selection.logic.ts';
import { useGrantsText } from './strings.ts';

/**
 * The rows, with a box each for those that can be revoked. J and K (or the arrows) go from row to row
 * and stay on the same control; X ticks.
 */
export function GrantsTable(props: {
  grants: readonly GrantView[];
  now: number;
  sort: Sort<GrantColumn>;
  onSort: (sort: Sort<GrantColumn>) => void;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  busy: ReadonlySet<number>;
  onRevoke: (grant: GrantView) => void;
}) {
  const t = useGrantsText();
  // A click tells shift before the box tells its new state.
  const shift = useRef(false);
  const revocable = props.grants.filter((grant) => stateAt(grant, props.now) === 'active').map((grant) => grant.id);
  const ticked = revocable.filter((id) => props.selection.ids.has(id)).length;

  function onKeyDown(event: KeyboardEvent<HTMLTableSectionElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target instanceof Element ? event.target.closest('tr') : null;
    if (!row) return;
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      moveFrom(row, event.target as Element, step);
    } else if (event.key === 'x') {
      event.preventDefault();
      const id = Number(row.dataset.grantId);
      if (revocable.includes(id)) props.onSelect(toggle(props.selection, id, revocable, false));
    }
  }

  return (
    <Table label={t('title')}>
      <thead>
        <tr>
          <Th className="w-9">
            {revocable.length > 0 && (
              <Checkbox
                name={t('select.all')}
                checked={ticked === 0 ? false : ticked === revocable.length ? true : 'mixed'}
                onChange={() => props.onSelect(toggleAll(props.selection, revocable))}
              />
            )}
          </Th>
          {GRANT_COLUMNS.map((column) => (
            <SortableTh
              key={column}
              column={column}
              sort={props.sort}
              onSort={props.onSort}
              {...(NARROW[column] ? { className: NARROW[column] } : {})}
            >
              {t(`col.${column}`)}
            </SortableTh>
          ))}
          <Th className="w-px">
            <span className="sr-only">{t('col.actions')}</span>
          </Th>
        </tr>
      </thead>
      <tbody onKeyDown={onKeyDown}>
        {props.grants.map((grant) => (
          <GrantRow
            key={grant.id}
            grant={grant}
            state={stateAt(grant, props.now)}
            selected={props.selection.ids.has(grant.id)}
            busy={props.busy.has(grant.id)}
            onRevoke={() => props.onRevoke(grant)}
            onPress={(withShift) => {
              shift.current = withShift;
            }}
            onToggle={() => {
              props.onSelect(toggle(props.selection, grant.id, revocable, shift.current));
              shift.current = false;
            }}
          />
        ))}
      </tbody>
    </Table>
  );
}

/** Focus goes to the same control of the next row that has one. */
function moveFrom(row: HTMLTableRowElement, target: Element, step: number): void {
  const control = target.closest('[data-control]')?.getAttribute('data-control') ?? 'select';
  for (let next = sibling(row, step); next; next = sibling(next, step)) {
    const found = next.querySelector<HTMLElement>(
      `[data-control="${control}"] button, button[data-control="${control}"]`,
    );
    if (!found) continue;
    found.focus();
    return;
  }
}

function sibling(row: Element, step: number): Element | null {
  return step > 0 ? row.nextElementSibling : row.previousElementSibling;
}
