import { foldText } from '../../../shared/lib/text-match.ts';

/** True when every word of the search begins a word of the label, or stands inside it. */
export function matchesWords(label: string, search: string): boolean {
  const text = foldText(label);
  return foldText(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** True when a key press belongs to what has the focus: a field, a menu, a dialog. */
export function keyIsTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]') !== null
  );
}
