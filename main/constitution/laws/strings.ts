/** Deeper than the guard reads; it has blocked such args before anything here sees them. */
const MAX_DEPTH = 1000;

/** Every string value in args, however deep. */
export function stringsIn(value: unknown, found: string[] = [], depth = 0): string[] {
  if (typeof value === 'string') found.push(value);
  else if (depth > MAX_DEPTH) throw new RangeError('the args are too deep');
  else if (Array.isArray(value)) for (const item of value) stringsIn(item, found, depth + 1);
  else if (value instanceof Map) for (const item of value.values()) stringsIn(item, found, depth + 1);
  else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) stringsIn(item, found, depth + 1);
  }
  return found;
}
