import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '../../vaglio/exact-json.ts';
import { asRecord, ownValue, type PlainRecord } from '../../vaglio/plain-record.ts';
import { PyFloat, pyStr } from '../../vaglio/python-values.ts';
import type { Line } from '../lines.ts';

/** One call as it is read from a line; `id` is JSON text. */
export interface JudgeCall {
  id: string | null;
  intent: string;
  executor: string;
  /** Any JSON value: what is no object, the guard refuses. */
  args: unknown;
  context: PlainRecord;
  home: string | null;
}

/** A line that holds no call, and why; never a piece of the line. */
export interface BrokenCall {
  id: string | null;
  error: string;
}

/** JSON text of an id, or null for a value that is none. */
function idText(id: unknown): string | null {
  if (typeof id === 'bigint' || id instanceof PyFloat) return pyStr(id);
  if (id === null || typeof id === 'string' || typeof id === 'number' || typeof id === 'boolean') {
    return JSON.stringify(id);
  }
  return null;
}

function callOf(record: PlainRecord, id: string | null): JudgeCall | BrokenCall {
  const intent = ownValue(record, 'intent');
  const executor = ownValue(record, 'executor');
  const args = ownValue(record, 'args');
  const context = asRecord(ownValue(record, 'context'));
  const home = ownValue(record, 'home') ?? null;
  if (typeof intent !== 'string') return { id, error: 'intent is missing or no string' };
  if (typeof executor !== 'string') return { id, error: 'executor is missing or no string' };
  if (args === undefined) return { id, error: 'args is missing' };
  if (context === null) return { id, error: 'context is no object' };
  if (home !== null && typeof home !== 'string') return { id, error: 'home is no string' };
  return { id, intent, executor, args, context, home };
}

/** Reads one line; null for a blank one. Never throws. */
export function readCall(line: Line): JudgeCall | BrokenCall | null {
  if (line === null) return { id: null, error: 'the line is too long' };
  if (!isUtf8(line)) return { id: null, error: 'the line is not UTF-8' };
  try {
    const text = line.toString('utf8');
    if (text.trim() === '') return null;
    const record = parseExactJson(text);
    if (record === null || asRecord(record) === null) return { id: null, error: 'the line is no JSON object' };
    const given = ownValue(record as PlainRecord, 'id');
    const id = given === undefined ? null : idText(given);
    if (given !== undefined && id === null) return { id, error: 'id is no string or number' };
    return callOf(record as PlainRecord, id);
  } catch (error) {
    return { id: null, error: error instanceof SyntaxError ? error.message : 'the line cannot be read' };
  }
}
