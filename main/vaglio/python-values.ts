import { isPyPrintable } from './python-unicode.ts';

/**
 * A number that JSON text wrote as a float although its value is whole (`777.0`, `1e3`): the original
 * prints it with its point, a JavaScript number has forgotten it. Only an exact reader makes one.
 */
export class PyFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** `bool(value)` for what JSON can hold; a Map stands for a dict. */
export function pyTruthy(value: unknown): boolean {
  if (value instanceof PyFloat) return value.value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** `repr(float)`: the shortest digits, an exponent below 1e-4 and from 1e16 on. */
export function pyFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  // In this range both languages write the same digits, but for the point of a whole number.
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [mantissa, power = ''] = value.toExponential().split('e');
  return `${mantissa}e${power.replace(/^([+-])(\d)$/, '$10$2')}`;
}

function pyNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(0).replace(/^-0$/, '0') : pyFloat(value);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeCharacter(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (isPyPrintable(code)) return character;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** `repr(str)`. */
export function pyReprString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  if (!/[^ !#-&(-[\]-~]/.test(text)) return `'${text}'`;
  const parts: string[] = [quote];
  for (const character of text) parts.push(escapeCharacter(character, quote));
  parts.push(quote);
  return parts.join('');
}

/**
 * `repr(value)` for what JSON can hold. Recursive: the caller has refused deeper nesting.
 * @throws TypeError for a value that JSON cannot hold
 */
function pyRepr(value: unknown): string {
  if (typeof value === 'string') return pyReprString(value);
  if (Array.isArray(value)) return `[${Array.from(value, pyRepr).join(', ')}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof PyFloat)) {
    const entries = value instanceof Map ? Array.from(value) : Object.entries(value);
    return `{${entries.map(([key, item]) => `${pyReprString(String(key))}: ${pyRepr(item)}`).join(', ')}}`;
  }
  return pyStr(value);
}

/**
 * `str(value)` for what JSON can hold: what a list of words looks like once it is joined (vaglio page, section 2).
 * @throws TypeError for a value that JSON cannot hold
 */
export function pyStr(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'undefined':
      return 'None';
    case 'boolean':
      return value ? 'True' : 'False';
    case 'number':
      return pyNumber(value);
    case 'bigint':
      return value.toString();
    case 'object':
      if (value === null) return 'None';
      return value instanceof PyFloat ? pyFloat(value.value) : pyRepr(value);
    default:
      throw new TypeError(`a ${typeof value} has no text`);
  }
}
