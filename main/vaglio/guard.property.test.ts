import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guard, noUsers } from './guard.ts';
import { findForbiddenPath } from './guard-paths.ts';
import { DANGEROUS_SHELL, FORBIDDEN_PATHS, type Hit } from './guard-rules.ts';
import { findDangerousShell } from './guard-shell.ts';
import { judge } from './judge.ts';

// The reference: the page's own patterns, tried one by one by a backtracking engine, with each sign of
// Python's `re` written out. Slow on purpose; written apart from the matchers.
const SPACES = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const WORD = '[\\p{L}\\p{N}_]';

function python(pattern: string): RegExp {
  const source = pattern
    .replaceAll('$)', '(?![^])|(?=\\n(?![^])))')
    .replaceAll('(\\s|$', '(\\s|(?![^])|(?=\\n(?![^]))')
    .replaceAll('.*', '[^\\n]*')
    .replaceAll('\\b', `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`)
    .replaceAll('\\s', `[${SPACES}]`);
  return new RegExp(source, 'u');
}

const reference = { paths: FORBIDDEN_PATHS.map(python), shell: DANGEROUS_SHELL.map(python) };

function slow(patterns: readonly RegExp[], text: string): { rule: number; start: number } | null {
  for (const [rule, pattern] of patterns.entries()) {
    const match = pattern.exec(text);
    if (match !== null) return { rule, start: match.index };
  }
  return null;
}

function place(hit: Hit | null) {
  return hit === null ? null : { rule: hit.rule, start: hit.start };
}

const SHARED = ['\n', '\r', ' ', '\t', '/', '.', 'x', '_', 'é', '\u{1f600}', '\u{1d4b6}', '\ud83d', '\udc80', '\0'];
const PATH_PIECES = [...SHARED, '.ssh', '/etc/', 'passwd', 'shadow', 'sudoers', 'ssh', '/root', '/boot', '/sys'];
PATH_PIECES.push('/proc', '0', '\u0661', '/dev/', 'sd', 'nvme', 'mmcblk', 'loop', '.aws/credentials', '.config/');
PATH_PIECES.push('credentials.env', '/credentials.env', '.gnupg', '.s', 'sh', '.config', '\u2028', '-'.repeat(40));
const SHELL_PIECES = [...SHARED, 'rm', '-r', '-rf', 'f', '~', 'mkfs', 'dd', 'dd ', 'of=/dev/', ' of=/dev/', 'of='];
SHELL_PIECES.push(
  ':',
  '(',
  ')',
  '{',
  ':|:&',
  '}',
  ': (',
  'chmod',
  '-',
  'R',
  '0',
  '7',
  '77',
  '777',
  ' /',
  ' ~',
  '\u001c',
);
SHELL_PIECES.push('\u0085', '\u00a0', '\u3000', '\ufeff', '\u200b', '²', '\u0301', 'rm -rf', 'chmod 777');

function texts(pieces: readonly string[]) {
  return fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));
}

test('the path matcher finds what the patterns find, where they find it', () => {
  fc.assert(
    fc.property(texts(PATH_PIECES), (text) => {
      expect(place(findForbiddenPath(text))).toEqual(slow(reference.paths, text));
    }),
    { numRuns: 5000 },
  );
});

test('the shell matcher finds what the patterns find, where they find it', () => {
  fc.assert(
    fc.property(texts(SHELL_PIECES), (text) => {
      expect(place(findDangerousShell(text))).toEqual(slow(reference.shell, text));
    }),
    { numRuns: 5000 },
  );
});

test.each(DANGEROUS_SHELL.map((rule, i) => [rule, i] as const))('texts near %s', (_, rule) => {
  const near = [
    ['rm', ' ', '\n', '-r', 'f', '/', 'x'],
    ['rm', ' ', '\n', '-r', 'f', '~', '/', 'x'],
    ['mkfs', '_', '-', 'é', 'x', 'm'],
    ['dd', ' ', '\n', '\r', 'x', 'of=/dev/'],
    [':', '(', ')', '{', ' ', ':|:&', '}'],
    ['chmod', ' ', '-', 'R', '0', '77', '7', '/'],
  ][rule];
  fc.assert(
    fc.property(texts(near ?? []), (text) => {
      expect(place(findDangerousShell(text))).toEqual(slow(reference.shell, text));
    }),
    { numRuns: 3000 },
  );
});

test('the reference itself knows both answers for every rule', () => {
  const hits = [
    '.ssh',
    '/etc/passwd',
    '/etc/ssh\n',
    '/root',
    '/boot',
    '/sys',
    '/proc/1',
    '/dev/sda',
    '.aws/credentials',
  ];
  hits.push('.config/x/credentials.env', '.gnupg');
  expect(hits.map((text) => slow(reference.paths, text)?.rule)).toEqual(FORBIDDEN_PATHS.map((_, i) => i));
  const commands = ['rm -rf /', 'rm -r ~/', 'mkfs', 'dd\n\rof=/dev/', ':(){:|:&}', 'chmod -R 0777 /'];
  expect(commands.map((text) => slow(reference.shell, text)?.rule)).toEqual(DANGEROUS_SHELL.map((_, i) => i));
  expect(slow(reference.paths, '/home/user/notes.txt')).toBeNull();
  expect(slow(reference.shell, 'ls -la')).toBeNull();
});

/** Any value with `inner` somewhere inside. */
function wrapping(inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      inner,
      fc.tuple(fc.array(fc.jsonValue()), tie('value'), fc.array(fc.jsonValue())).map(([a, v, b]) => [...a, v, ...b]),
      fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), tie('value')).map(([rest, key, v]) => {
        Object.defineProperty(rest, key, { value: v, enumerable: true, configurable: true, writable: true });
        return rest;
      }),
      fc.tuple(fc.string(), tie('value')).map((entry) => new Map([entry])),
    ),
  })).value;
}

test('no wrapping of args makes a path rule laxer', () => {
  const stopped = texts(PATH_PIECES).filter((text) => findForbiddenPath(text) !== null);
  fc.assert(
    fc.property(wrapping(stopped), fc.string(), (args, executor) => {
      expect(guard(executor, args, {}, '/home/user', noUsers).blocked).toBe(true);
      expect(guard(executor, { a: args }, {}, '/home/user', noUsers).blocked).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('nothing beside the command makes a shell rule laxer', () => {
  const stopped = texts(SHELL_PIECES).filter((text) => findDangerousShell(text) !== null);
  fc.assert(
    fc.property(stopped, fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (command, rest, cmd) => {
      const args = { ...rest, command, cmd };
      expect(guard('shell_exec', args, {}, '/home/user', noUsers).blocked).toBe(true);
      expect(guard('x', args, { capability: 'code:exec' }, '/home/user', noUsers).blocked).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('no input throws, and nothing is approved that is no call', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  const options = { threshold: 0.3, home: '/home/user', clock: () => 0, passwd: noUsers };
  fc.assert(
    fc.property(anything, anything, anything, anything, (intent, executor, args, context) => {
      const verdict = judge(intent as string, executor as string, args, context, options);
      expect(verdict.approved).toBe(verdict.blocked_by === null);
      if (typeof intent !== 'string' || typeof executor !== 'string') expect(verdict.approved).toBe(false);
    }),
    { numRuns: 3000 },
  );
});
