/** What is wrong with a JSON text, in words that the panel translates, and where (UTF-16 offset). */
export interface JsonFault {
  at: number;
  why:
    | 'empty'
    | 'value'
    | 'comma-or-end'
    | 'colon'
    | 'key'
    | 'string'
    | 'escape'
    | 'control'
    | 'number'
    | 'trailing'
    | 'deep'
    | 'duplicate';
}

const LITERALS = ['true', 'false', 'null'];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
/** Deeper than any call; a text that nests more would exhaust the stack. */
const DEEPEST = 500;

/**
 * The first fault of a text by the rules of JSON (RFC 8259), null when it has none. A key that stands twice in one
 * object is a fault too: readers differ on which of the two counts.
 */
export function findJsonFault(text: string): JsonFault | null {
  let at = 0;

  const fault = (why: JsonFault['why'], where = at): never => {
    throw { at: where, why } satisfies JsonFault;
  };
  const space = () => {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
  };

  function string(): string {
    const from = at;
    at += 1;
    for (;;) {
      const char = text[at];
      if (char === undefined) return fault('string', from);
      if (char === '"') {
        at += 1;
        return text.slice(from, at);
      }
      if (char < ' ') return fault('control');
      if (char === '\\') {
        const next = text[at + 1] ?? '';
        const long = next === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6));
        if (!long && (next === '' || !'"\\/bfnrt'.includes(next))) return fault('escape');
        at += long ? 6 : 2;
      } else at += 1;
    }
  }

  function number(): void {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) fault('number');
    const end = NUMBER.lastIndex;
    if (/[\w.+-]/.test(text[end] ?? '')) fault('number', at);
    at = end;
  }

  function members(close: string, depth: number, member: () => void): void {
    if (depth > DEEPEST) fault('deep');
    at += 1;
    space();
    if (text[at] === close) {
      at += 1;
      return;
    }
    for (;;) {
      member();
      space();
      const next = text[at];
      if (next !== ',' && next !== close) fault('comma-or-end');
      at += 1;
      if (next === close) return;
      space();
    }
  }

  function value(depth: number): void {
    const char = text[at] ?? '';
    const word = LITERALS.find((each) => text.startsWith(each, at));
    if (char === '{') {
      const keys = new Set<unknown>();
      members('}', depth, () => {
        if (text[at] !== '"') fault('key');
        const from = at;
        const key: unknown = JSON.parse(string());
        if (keys.has(key)) fault('duplicate', from);
        keys.add(key);
        space();
        if (text[at] !== ':') fault('colon');
        at += 1;
        space();
        value(depth + 1);
      });
    } else if (char === '[') members(']', depth, () => value(depth + 1));
    else if (char === '"') string();
    else if (char === '-' || (char >= '0' && char <= '9')) number();
    else if (word !== undefined) at += word.length;
    else fault('value');
  }

  try {
    space();
    if (at === text.length) fault('empty');
    value(1);
    space();
    if (at < text.length) fault('trailing');
    return null;
  } catch (found) {
    if (typeof found === 'object' && found !== null && 'why' in found) return found as JsonFault;
    throw found;
  }
}

/** Line and column of an offset, both counted from 1, the column in characters as a person counts them. */
export function placeOf(text: string, at: number): { line: number; column: number; excerpt: string; caret: number } {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  const lineEnd = text.indexOf('\n', at);
  const whole = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
  const inLine = at - lineStart;
  const from = Math.max(0, inLine - 30);
  return {
    line: before.split('\n').length,
    column: [...text.slice(lineStart, at)].length + 1,
    excerpt: whole.slice(from, inLine + 30),
    caret: inLine - from,
  };
}
