/** Deeper args are blocked by the guard long before. */
const MAX_DEPTH = 1000;

/**
 * One text for equal JSON values: keys sorted, no white space.
 * @throws RangeError for nesting beyond 1,000 levels, TypeError for what is no JSON
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('not a JSON number');
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? 'null' : containerText(value, depth + 1);
    default:
      throw new TypeError(`no JSON: ${typeof value}`);
  }
}

function containerText(value: object, depth: number): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth)).join(',')}]`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('no JSON object');
  const members = Object.keys(value)
    .filter((key) => (value as Record<string, unknown>)[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key], depth)}`);
  return `{${members.join(',')}}`;
}
