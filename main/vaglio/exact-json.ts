import { PyFloat } from './python-values.ts';

/**
 * Reads JSON text as the original's reader does, where `JSON.parse` forgets something that decides: the order of
 * keys that look like numbers (such an object becomes a Map), the point of `777.0` (PyFloat), the digits of a large
 * whole number (bigint). Strict JSON; nesting of any depth, and millions of keys (a Map as well).
 */

type Container =
  | { list: unknown[] }
  | { record: Record<string, unknown> | Map<string, unknown>; key: string; size: number };

// Loops are lazy: a greedy one keeps a way back for every character, which a line of many megabytes overflows.
const SPACE = /[ \t\n\r]*?(?![ \t\n\r])/y;
/** Neither escapes nor control characters: what stands between the quotes is the value. */
const PLAIN_STRING = /"[ !#-[\]-\uffff]*?"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*?(?![0-9]))(\.[0-9]+?(?![0-9]))?([eE][+-]?[0-9]+?(?![0-9]))?/y;
const INDEX = /^(?:0|[1-9][0-9]{0,9})$/;
const LITERALS: ReadonlyMap<string, { text: string; value: boolean | null }> = new Map([
  ['t', { text: 'true', value: true }],
  ['f', { text: 'false', value: false }],
  ['n', { text: 'null', value: null }],
]);
/** Digits of the longest whole number that the original reads. */
const MAX_DIGITS = 4300;
/** An object with more keys becomes a Map too: a plain one takes minutes and gigabytes for millions of keys. */
const MANY_KEYS = 1000;

class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  fail(): never {
    throw new SyntaxError(`invalid JSON at character ${this.at + 1}`);
  }

  /** The next character that is no white space, without taking it; `''` at the end. */
  peek(): string {
    if (this.text.charCodeAt(this.at) <= 0x20) {
      SPACE.lastIndex = this.at;
      SPACE.test(this.text);
      this.at = SPACE.lastIndex;
    }
    return this.text.charAt(this.at);
  }

  take(character: string): void {
    if (this.peek() !== character) this.fail();
    this.at++;
  }

  string(): string {
    const start = this.at;
    PLAIN_STRING.lastIndex = start;
    if (PLAIN_STRING.test(this.text)) {
      this.at = PLAIN_STRING.lastIndex;
      return this.text.slice(start + 1, this.at - 1);
    }
    const end = this.closingQuote();
    try {
      const value: string = JSON.parse(this.text.slice(start, end + 1));
      this.at = end + 1;
      return value;
    } catch {
      return this.fail();
    }
  }

  /** Index of the quote that ends the string at `at`: the first with an even number of backslashes before it. */
  closingQuote(): number {
    for (let end = this.text.indexOf('"', this.at + 1); end >= 0; end = this.text.indexOf('"', end + 1)) {
      let escapes = end;
      while (this.text.charCodeAt(escapes - 1) === 0x5c) escapes--;
      if ((end - escapes) % 2 === 0) return end;
    }
    return this.fail();
  }

  number(): number | bigint | PyFloat {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) return this.fail();
    const [digits, fraction, exponent] = match;
    const value = Number(digits);
    if (fraction !== undefined || exponent !== undefined) {
      this.at = NUMBER.lastIndex;
      return Number.isInteger(value) ? new PyFloat(value) : value;
    }
    if (digits.length > MAX_DIGITS + Number(digits.startsWith('-'))) this.fail();
    this.at = NUMBER.lastIndex;
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    return BigInt(digits);
  }

  scalar(first: string): unknown {
    if (first === '"') return this.string();
    const literal = LITERALS.get(first);
    if (literal === undefined) return this.number();
    if (!this.text.startsWith(literal.text, this.at)) this.fail();
    this.at += literal.text.length;
    return literal.value;
  }

  /** A key and its colon. */
  key(): string {
    if (this.peek() !== '"') this.fail();
    const key = this.string();
    this.take(':');
    return key;
  }
}

function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && INDEX.test(key) && Number(key) < 4294967295;
}

function put(into: Container, value: unknown): void {
  if ('list' in into) {
    into.list.push(value);
    return;
  }
  const { key } = into;
  into.size++;
  if (!(into.record instanceof Map) && (into.size > MANY_KEYS || isIndex(key)))
    into.record = new Map(Object.entries(into.record));
  if (into.record instanceof Map) into.record.set(key, value);
  else if (key !== '__proto__') into.record[key] = value;
  else Object.defineProperty(into.record, key, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * @returns plain objects, lists, strings, booleans and null as `JSON.parse` gives them, but for Map, PyFloat and bigint
 * @throws SyntaxError with the position, never with a piece of the text
 */
export function parseExactJson(text: string): unknown {
  const reader = new Reader(text);
  const stack: Container[] = [];
  for (;;) {
    let value: unknown;
    const first = reader.peek();
    if (first === '{' || first === '[') {
      reader.at++;
      const closing = first === '{' ? '}' : ']';
      if (reader.peek() !== closing) {
        stack.push(first === '[' ? { list: [] } : { record: {}, key: reader.key(), size: 0 });
        continue;
      }
      reader.at++;
      value = first === '{' ? {} : [];
    } else value = reader.scalar(first);

    // A value is whole: put it where it belongs, and close what closes with it.
    for (;;) {
      const parent = stack.at(-1);
      if (parent === undefined) {
        if (reader.peek() !== '') reader.fail();
        return value;
      }
      put(parent, value);
      const next = reader.peek();
      if (next === ',') {
        reader.at++;
        if ('record' in parent) parent.key = reader.key();
        break;
      }
      if (next !== ('list' in parent ? ']' : '}')) reader.fail();
      reader.at++;
      stack.pop();
      value = 'list' in parent ? parent.list : parent.record;
    }
  }
}
