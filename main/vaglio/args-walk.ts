import { expandUser, type PasswdLookup, type Unreadable, unreadableUser } from './expand-user.ts';
import { findForbiddenPath } from './guard-paths.ts';
import type { Hit } from './guard-rules.ts';
import { PyFloat } from './python-values.ts';

/** Deepest nesting that is read. The original's own reader gives up at about 995 levels and raises. */
const MAX_DEPTH = 990;
/** From so many containers on, each is read once: shared ones could otherwise multiply without end. */
const TRACK_FROM = 10_000;

/** A forbidden path in args, or what in them cannot be read; `keys` lead to it, innermost first. */
export interface Finding {
  keys: (string | number)[];
  /** The rule that matched in `value`, which has its `~` expanded. */
  match: { hit: Hit; value: string } | null;
  unreadable: Unreadable | null;
}

export interface WalkResult {
  finding: Finding | null;
  /** Does a string hold both `..` and `/`? Known only when there is no finding. */
  traversal: boolean;
}

interface Walk {
  home: string;
  passwd: PasswdLookup;
  traversal: boolean;
  containers: number;
  seen: Set<object> | null;
}

function unreadable(why: Unreadable): Finding {
  return { keys: [], match: null, unreadable: why };
}

function visitString(value: string, walk: Walk): Finding | null {
  if (!walk.traversal && value.includes('/') && value.includes('..')) walk.traversal = true;
  let text = value;
  if (value.charCodeAt(0) === 0x7e) {
    const why = unreadableUser(value);
    if (why !== null) return unreadable(why);
    text = expandUser(value, walk.home, walk.passwd);
  }
  const hit = findForbiddenPath(text);
  return hit === null ? null : { keys: [], match: { hit, value: text }, unreadable: null };
}

/** Reads one property without running code of the value: an accessor could answer differently next time. */
function visitProperty(owner: object, key: string | number, walk: Walk, depth: number): Finding | null {
  const property = Object.getOwnPropertyDescriptor(owner, key);
  if (property === undefined) return null;
  const finding = 'value' in property ? visit(property.value, walk, depth) : unreadable('accessor');
  finding?.keys.push(key);
  return finding;
}

function visitMap(map: Map<unknown, unknown>, walk: Walk, depth: number): Finding | null {
  for (const [key, item] of map) {
    if (typeof key !== 'string') return unreadable('type');
    const finding = visit(item, walk, depth);
    if (finding !== null) {
      finding.keys.push(key);
      return finding;
    }
  }
  return null;
}

function visitContainer(value: object, walk: Walk, depth: number): Finding | null {
  if (depth > MAX_DEPTH) return unreadable('depth');
  if (++walk.containers > TRACK_FROM) {
    walk.seen ??= new Set();
    if (walk.seen.has(value)) return null;
    walk.seen.add(value);
  }
  const prototype = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return unreadable('type');
    for (let i = 0; i < value.length; i++) {
      const finding = visitProperty(value, i, walk, depth + 1);
      if (finding !== null) return finding;
    }
    return null;
  }
  if (prototype === Object.prototype || prototype === null) {
    for (const key in value) {
      const finding = visitProperty(value, key, walk, depth + 1);
      if (finding !== null) return finding;
    }
    return null;
  }
  if (prototype === Map.prototype) return visitMap(value as Map<unknown, unknown>, walk, depth + 1);
  return prototype === PyFloat.prototype ? null : unreadable('type');
}

function visit(value: unknown, walk: Walk, depth: number): Finding | null {
  switch (typeof value) {
    case 'string':
      return visitString(value, walk);
    case 'object':
      return value === null ? null : visitContainer(value, walk, depth);
    case 'function':
    case 'symbol':
      return unreadable('type');
    default:
      return null;
  }
}

/**
 * Reads every string value in `args`, depth first, in the order of the text, and stops at the first forbidden path.
 * Plain objects, lists and Maps (an object whose order matters) are read; anything else is unreadable.
 */
export function walkArgs(args: unknown, home: string, passwd: PasswdLookup): WalkResult {
  const walk: Walk = { home, passwd, traversal: false, containers: 0, seen: null };
  const finding = visit(args, walk, 1);
  return { finding, traversal: walk.traversal };
}

/** `a.b[2]["odd key"]` for the way to a finding. */
export function keyPath(keys: readonly (string | number)[]): string {
  let path = '';
  for (const key of keys.toReversed()) {
    if (typeof key === 'number') path += `[${key}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(key)) path += path === '' ? key : `.${key}`;
    else path += `[${JSON.stringify(key)}]`;
  }
  return path;
}
