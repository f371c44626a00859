/** Lower case without accents, so that "citta" finds "Città". */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** True when every word of the search begins a word of the label, or stands inside it. */
export function matchesWords(label: string, search: string): boolean {
  const text = plain(label);
  return plain(search)
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
