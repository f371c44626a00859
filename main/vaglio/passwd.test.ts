import { expect, test } from 'vitest';
import { parsePasswd, readPasswd } from './passwd.ts';

test('users have the home that their first line gives; other lines name nobody', () => {
  const lookup = parsePasswd(
    'root:x:0:0:root:/root:/bin/sh\n# note:x:0:0::/n:\n+nis:x:0:0::/n:\nbroken\nroot:x:0:0::/else:\nbare:x:1:1::\n',
  );
  expect(['root', 'bare', 'nobody', '# note', '+nis', 'broken', ''].map(lookup)).toEqual([
    '/root',
    '',
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(['__proto__', 'constructor'].map(lookup)).toEqual([null, null]);
});

test('without such a file nobody is known', () => expect(readPasswd('/does/not/exist')('root')).toBeNull());

test('a file that cannot be read is an error, not an empty list', () => expect(() => readPasswd('/')).toThrow());
