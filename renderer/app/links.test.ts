import { defaultParseSearch } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import {
  auditHref,
  grantsHref,
  readAuditSearch,
  readGrantsSearch,
  readTurnsSearch,
  readVerdictSearch,
  turnFilter,
  turnsHref,
  verdictFilter,
} from './links.ts';

/** As the router reads it. */
const searchOf = (href: string) => defaultParseSearch(href.slice(href.indexOf('?')));

test('an address is read back as it was written', () => {
  const search = {
    outcome: 'denied',
    phase: 'guard',
    rule: '(^|/)\\.ssh(/|$)',
    executor: '42',
    from: 1,
    to: 2.5,
    min: 0.25,
    max: 0.3,
    text: 'a&b=c #',
    show: 'verdicts',
    row: 7,
  } as const;
  expect(readAuditSearch(searchOf(auditHref(search)))).toEqual(search);
  expect(readAuditSearch(searchOf(auditHref({ show: 'acts', act: 'revoke' })))).toEqual({
    show: 'acts',
    act: 'revoke',
  });
  // What a person types may look like a number or a truth; it stays what it is.
  for (const text of ['1e5', '007', 'true', 'null', '"x"', '{}']) {
    expect(readVerdictSearch(searchOf(auditHref({ text })))).toEqual({ text });
    expect(readTurnsSearch(searchOf(turnsHref({ turn: text, step: 2 })))).toEqual({ turn: text, step: 2 });
  }
  expect(readVerdictSearch({ executor: 42, from: 1 })).toEqual({ executor: '42', from: 1 });
});

test('what does not fit is left out', () => {
  expect(readVerdictSearch({ outcome: 'maybe', phase: '', from: 'x', to: Number.NaN, text: { a: 1 } })).toEqual({});
  expect(readGrantsSearch({ all: 'yes', channel: '' })).toEqual({});
  expect(readAuditSearch({ show: 'all', act: 'erase', row: 'x', min: 'low' })).toEqual({});
  expect(readTurnsSearch({ refused: 'yes', step: 'x', turn: '' })).toEqual({});
});

test('becomes the filter of the engine', () => {
  expect(verdictFilter({ outcome: 'denied', phase: 'judge', from: 1 })).toEqual({
    outcome: 'denied',
    blocked_by: 'judge',
    from_ts: 1,
  });
  expect(verdictFilter({ min: 0.1, max: 1 })).toEqual({ min_score: 0.1, max_score: 1 });
  expect(verdictFilter({})).toEqual({});
  expect(turnFilter({ turn: 't1', step: 0, outcome: 'error', refused: true })).toEqual({
    outcome: 'error',
    refused: true,
  });
});

test('addresses without a filter are bare', () => {
  expect(auditHref({})).toBe('#/audit');
  expect(grantsHref({ capability: 'fs:read' })).toBe('#/grants?capability=fs%3Aread');
});
