import { expect, test } from 'vitest';
import { noticeChange } from './notify.logic.ts';

test('tells of each card once, and takes back what is gone', () => {
  expect(noticeChange(new Set(), [{ token: 'a' }, { token: 'b' }])).toEqual({ fresh: ['a', 'b'], gone: [] });
  expect(noticeChange(new Set(['a', 'b']), [{ token: 'b' }, { token: 'c' }])).toEqual({ fresh: ['c'], gone: ['a'] });
  expect(noticeChange(new Set(['a']), [{ token: 'a' }])).toEqual({ fresh: [], gone: [] });
});
