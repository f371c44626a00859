import type { ParameterExpansionPart, Word } from 'unbash';
import { globMatches } from './glob.ts';
import { HOLE, hasHole, isGlob } from './symbols.ts';
import type { Scope } from './types.ts';

/** Shell variables that are numbers or otherwise cannot name a place. */
const NUMBERS = new Set([
  '$',
  '!',
  '?',
  '#',
  'RANDOM',
  'SECONDS',
  'LINENO',
  'UID',
  'EUID',
  'PPID',
  'BASHPID',
  'OPTIND',
]);

/** Values of a variable by name; null when it is not known. An array gives several. */
export function variable(name: string, scope: Scope, home: string): string[] | null {
  const own = scope.vars.get(name);
  if (own !== undefined) return own;
  switch (name) {
    case 'HOME':
      return [home];
    case 'PWD':
      return ['.'];
    case 'IFS':
      return [' \t\n'];
    case '0':
      return ['bash'];
    case 'USER':
    case 'LOGNAME':
      return [home.slice(home.lastIndexOf('/') + 1)];
    case 'PATH':
      return [`/${HOLE}`];
    case 'SHELL':
    case 'BASH':
      return ['/bin/bash'];
    case '@':
    case '*':
      return scope.params;
  }
  // Nobody gives a command line nine parameters: a high number is a way to write nothing.
  if (/^[4-9]$/.test(name) && scope.params === null) return [''];
  if (/^[1-9]\d*$/.test(name)) return scope.params === null ? null : [scope.params[Number(name) - 1] ?? ''];
  return NUMBERS.has(name) ? [HOLE] : null;
}

/** The working folder, absolute; null when it is not known. */
export function cwdOf(scope: Scope): string | null {
  const pwd = scope.vars.get('PWD')?.[0];
  return pwd?.startsWith('/') === true ? pwd : null;
}

type ValueOf = (word: Word | undefined) => string;

function trim(value: string, pattern: string, operator: string): string {
  const long = operator.length === 2;
  if (operator[0] === '#') {
    for (let n = 0; n <= value.length; n++) {
      const cut = long ? value.length - n : n;
      if (globMatches(pattern, value.slice(0, cut))) return value.slice(cut);
    }
  } else {
    for (let n = 0; n <= value.length; n++) {
      const cut = long ? n : value.length - n;
      if (globMatches(pattern, value.slice(cut))) return value.slice(0, cut);
    }
  }
  return value;
}

/** First match of the pattern at or after `from`, the longest one there; null when there is none. */
function find(value: string, pattern: string, from: number): { start: number; end: number } | null {
  if (!isGlob(pattern)) {
    const start = value.indexOf(pattern, from);
    return start < 0 ? null : { start, end: start + pattern.length };
  }
  for (let start = from; start < value.length; start++) {
    for (let end = value.length; end > start; end--) {
      if (globMatches(pattern, value.slice(start, end))) return { start, end };
    }
  }
  return null;
}

function replace(value: string, pattern: string, by: string, operator: string): string {
  if (pattern === '') return value;
  if (operator === '/#' || operator === '/%') {
    const head = operator === '/#';
    for (let n = value.length; n > 0; n--) {
      const piece = head ? value.slice(0, n) : value.slice(value.length - n);
      if (globMatches(pattern, piece)) return head ? by + value.slice(n) : value.slice(0, value.length - n) + by;
    }
    return value;
  }
  let out = '';
  let at = 0;
  for (;;) {
    const match = find(value, pattern, at);
    if (match === null) return out + value.slice(at);
    out += value.slice(at, match.start) + by;
    at = match.end;
    if (operator === '/') return out + value.slice(at);
  }
}

/** The known start of a value that is unknown further on. */
function firstOf(value: string, from: string, length: string): string {
  const piece = value.slice(0, Number(length));
  return from === '0' && /^\d+$/.test(length) && piece.length === Number(length) && !hasHole(piece) ? piece : value;
}

/** Longer values are not computed: the pattern operations are cubic. */
const LONGEST = 64;
/** Steps that all pattern operations of one judgement may take together. */
const MOST_WORK = 200_000;

/**
 * What `${...}` gives. An unset variable with a default gives the default; one without gives null.
 */
export function parameter(part: ParameterExpansionPart, scope: Scope, home: string, read: ValueOf): string[] | null {
  const op = part.operation;
  if (part.prefix === '#') return [HOLE];
  let values = variable(part.parameter, scope, home);
  if (part.prefix === '!') {
    const target = values?.[0];
    if (op?.type === 'Names' || target === undefined || !/^\w+$/.test(target)) return null;
    values = variable(target, scope, home);
  }
  if (part.index !== undefined && values !== null) {
    const index = read(part.index);
    if (/^\d+$/.test(index)) values = [values[Number(index)] ?? ''];
    else if (index !== '@' && index !== '*' && !/[\uE003]/.test(index)) return null;
  }
  if (op === undefined) return values;
  if (op.type === 'Default') {
    const empty = values?.every((v) => v === '');
    const set = values !== null && !(op.operator.startsWith(':') && empty);
    if (op.operator.endsWith('+')) return set ? [read(op.operand)] : values === null ? null : [''];
    if (set) return values;
    const given = read(op.operand);
    if (op.operator.endsWith('=')) scope.vars.set(part.parameter, [given]);
    // What may be set outside is unknown, but its default is what a fresh shell would use.
    return op.operator.endsWith('?') ? values : [given];
  }
  if (values === null) return null;
  return values.map((value) => {
    if (op.type === 'Slice' && hasHole(value)) return firstOf(value, read(op.offset).trim(), read(op.length).trim());
    if (hasHole(value) || value.length > LONGEST) return hasHole(value) ? value : HOLE;
    scope.memory.work += value.length * value.length;
    if (scope.memory.work > MOST_WORK) return HOLE;
    switch (op.type) {
      case 'Remove':
        return trim(value, read(op.operand), op.operator);
      case 'Replace':
        return replace(value, read(op.pattern), read(op.replacement), op.operator);
      case 'Slice': {
        const from = Number(read(op.offset).trim());
        const length = op.length === undefined ? value.length : Number(read(op.length).trim());
        if (!Number.isInteger(from) || !Number.isInteger(length)) return HOLE;
        const start = from < 0 ? Math.max(0, value.length + from) : from;
        return value.slice(start, length < 0 ? value.length + length : start + length);
      }
      case 'CaseModification': {
        const all = op.operator.length === 2;
        const change = (t: string) => (op.operator[0] === '^' ? t.toUpperCase() : t.toLowerCase());
        return all ? change(value) : change(value.slice(0, 1)) + value.slice(1);
      }
      case 'Transform':
        return value;
      default:
        return HOLE;
    }
  });
}
