/** Local time as a `datetime-local` field has it; empty for none. @param seconds Unix */
export function toField(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** Unix seconds of what a field says; undefined for an empty one and for half a date. */
export function fromField(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

/** A score as typed, with a point or a comma; undefined for nothing, null for what is none. */
export function scoreOf(text: string): number | undefined | null {
  if (text.trim() === '') return undefined;
  const score = Number(text.trim().replace(',', '.'));
  return Number.isFinite(score) && score >= 0 && score <= 1 ? score : null;
}

/** Both ends of a range of scores, or null when it is none. */
export function scoresOf(from: string, to: string): { min: number | undefined; max: number | undefined } | null {
  const min = scoreOf(from);
  const max = scoreOf(to);
  if (min === null || max === null) return null;
  return min !== undefined && max !== undefined && min >= max ? null : { min, max };
}
