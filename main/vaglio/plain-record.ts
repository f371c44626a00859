import { PyFloat } from './python-values.ts';

/** What stands for a Python dict: a plain object, or a Map where the order of integer-like keys matters. */
export type PlainRecord = object | Map<string, unknown>;

/** @returns `value` when it can stand for a dict, `{}` for null and undefined, else null */
export function asRecord(value: unknown): PlainRecord | null {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof PyFloat) return null;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || prototype === Map.prototype ? value : null;
}

/**
 * An own value, never one of the prototype; undefined when there is none.
 * @throws TypeError for an accessor: it could answer differently next time
 */
export function ownValue(record: PlainRecord, key: string): unknown {
  if (record instanceof Map) return record.get(key);
  const property = Object.getOwnPropertyDescriptor(record, key);
  if (property === undefined) return undefined;
  if (!('value' in property)) throw new TypeError('an accessor is not read');
  return property.value;
}

/** Own keys in their order. */
export function ownKeys(record: PlainRecord): string[] {
  return record instanceof Map ? Array.from(record.keys()) : Object.keys(record);
}
