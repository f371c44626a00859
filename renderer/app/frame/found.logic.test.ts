import { expect, test } from 'vitest';
import { createFinder, SHOWN } from './found.logic.ts';

test.each([
  ['roberto fs:write', ['fs:write ~/Città/* roberto telegram']],
  ['citta', ['fs:write ~/Città/* roberto telegram']],
  ['TELEGRAM', ['fs:write ~/Città/* roberto telegram', 'fs:read /tmp/* anna telegram']],
  ['anna fs:write', []],
  ['', []],
  ['  ', []],
])('“%s” finds %j', (search, found) => {
  const things = ['fs:write ~/Città/* roberto telegram', 'fs:read /tmp/* anna telegram'];
  expect(createFinder(things, (thing) => thing)(search)).toEqual({ shown: found, total: found.length });
});

test('what begins with the search comes first, the rest in its order, and what is not shown is counted', () => {
  const things = [...Array.from({ length: 30 }, (_, n) => `my_read_${n}`), 'read_files'];
  const { shown, total } = createFinder(things, (thing) => thing)('read');
  expect(shown).toEqual(['read_files', 'my_read_0', 'my_read_1', 'my_read_2', 'my_read_3'].slice(0, SHOWN));
  expect(total).toBe(31);
});

test('the things are read once, whatever is typed', () => {
  let reads = 0;
  const find = createFinder(['one', 'two'], (thing) => {
    reads++;
    return thing;
  });
  for (const search of ['o', 'on', 'one']) find(search);
  expect(reads).toBe(2);
});
