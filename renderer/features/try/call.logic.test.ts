import { expect, test } from 'vitest';
import { type CallDraft, checkCall, EXAMPLES, exampleDraft, toRequest } from './call.logic.ts';

const draft: CallDraft = {
  intent: ' read ',
  executor: ' read_files ',
  args: '{"path": "~/a"}',
  channel: 'telegram',
  sender_id: 'roberto',
  capability: '',
};

test('a draft becomes the request; the intent stays as written', () => {
  expect(checkCall(draft)).toEqual({});
  expect(toRequest(draft)).toEqual({
    intent: ' read ',
    executor: 'read_files',
    args: { path: '~/a' },
    channel: 'telegram',
    sender_id: 'roberto',
  });
  expect(toRequest({ ...draft, capability: 'fs:read' }).capability).toBe('fs:read');
});

test('each fault stands at its field', () => {
  expect(checkCall({ ...draft, executor: ' ', channel: '', args: '{"a": }' })).toEqual({
    executor: 'empty',
    channel: 'empty',
    args: { at: 6, why: 'value' },
  });
  expect(checkCall({ ...draft, args: '[1]' })).toEqual({ args: 'not-object' });
  expect(checkCall({ ...draft, args: '' })).toEqual({ args: { at: 0, why: 'empty' } });
});

test('every example can be sent as it is', () => {
  for (const { id } of EXAMPLES) {
    const example = exampleDraft(id, { ...draft, capability: 'fs:write' });
    expect(checkCall(example), id).toEqual({});
    expect(toRequest(example)).not.toHaveProperty('capability');
    expect(toRequest(example).channel).toBe('telegram');
  }
});
