/** Which rows are ticked, and the row from which a range is drawn. */
export interface Selection {
  ids: ReadonlySet<number>;
  anchor: number | null;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

/**
 * Ticks or unticks a row. With `range`, every row between the anchor and this one (in the order shown)
 * takes the anchor's state, as lists of files do it.
 */
export function toggle(selection: Selection, id: number, shown: readonly number[], range: boolean): Selection {
  const ids = new Set(selection.ids);
  const from = selection.anchor === null ? -1 : shown.indexOf(selection.anchor);
  const to = shown.indexOf(id);
  if (range && from !== -1 && to !== -1 && selection.anchor !== null) {
    const on = ids.has(selection.anchor);
    for (const other of shown.slice(Math.min(from, to), Math.max(from, to) + 1))
      on ? ids.add(other) : ids.delete(other);
    return { ids, anchor: selection.anchor };
  }
  if (ids.has(id)) ids.delete(id);
  else ids.add(id);
  return { ids, anchor: id };
}

/** All rows shown, or none when all are ticked already. */
export function toggleAll(selection: Selection, shown: readonly number[]): Selection {
  return shown.length > 0 && shown.every((id) => selection.ids.has(id))
    ? NOTHING_SELECTED
    : { ids: new Set(shown), anchor: null };
}

/** Drops what is no longer shown: a gesture must never reach a row that the person does not see. */
export function keepShown(selection: Selection, shown: readonly number[]): Selection {
  const ids = new Set(shown.filter((id) => selection.ids.has(id)));
  return ids.size === selection.ids.size ? selection : { ids, anchor: selection.anchor };
}
