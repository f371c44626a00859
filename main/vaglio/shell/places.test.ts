import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCommandKey, isTextKey } from './arguments.ts';
import { squeeze } from './paths.ts';
import { secretAt, secretBySegments } from './places.ts';
import { ANY, FOREIGN, HOLE, STAR } from './symbols.ts';

const SEGMENTS = [
  ...['.ssh', '.SSH', '.gnupg', '.aws', 'credentials', 'credentials.bak', '.config', 'x', 'credentials.env', 'id_rsa'],
  ...['etc', 'ETC', 'passwd', 'shadow.bak', 'sudoers.d', 'ssh', 'root', 'boot', 'sys', 'proc', 'self', '1', 'environ'],
  ...['', '.', '..', `${STAR}`, `.s${STAR}`, `${ANY}ssh`, `${HOLE}`, `et${ANY}`, `${FOREIGN}`, 'home', 'İ', 'K.ssh'],
];
const path = fc
  .tuple(fc.constantFrom('/', '', FOREIGN), fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 6 }))
  .map(([start, segments]) => `${start}${segments.join('/')}`);

test('the cheap look at a path never says no where the whole one would not [property]', () => {
  fc.assert(
    fc.property(path, fc.constantFrom('/home/user', '/root'), (one, home) => {
      expect(secretAt(one, home)).toBe(secretBySegments(one, home));
    }),
    { numRuns: 3000 },
  );
});

test('a path that is squeezed stays as it is, and holds no segment that says nothing [property]', () => {
  fc.assert(
    fc.property(path, (one) => {
      const tidy = squeeze(`/${one}`);
      expect(squeeze(tidy)).toBe(tidy);
      expect(tidy === '/' ? [] : tidy.slice(1).split('/')).not.toContain('');
      expect(tidy.split('/')).not.toContain('.');
      expect(tidy.split('/')).not.toContain('..');
    }),
  );
});

test.each([
  ['content', true],
  ['newString', true],
  ['NEW_STRING', true],
  ['new__string', false],
  ['_content', false],
  ['paths', false],
  ['descriptions', false],
])('the key %s stands over a mere text: %s', (key, isText) => {
  expect(isTextKey(key)).toBe(isText);
});

test.each([
  ['cmd', true],
  ['commandLine', true],
  ['Shell_Command', true],
  ['command_', false],
  ['commands', false],
])('the key %s stands over a command: %s', (key, isCommand) => {
  expect(isCommandKey(key)).toBe(isCommand);
});
