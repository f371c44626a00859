import fc from 'fast-check';
import { expect, test } from 'vitest';
import { structuralGuard } from './structural.ts';

const PIECES = [
  'rm',
  '-rf',
  '/',
  '~',
  '$HOME',
  '$(',
  ')',
  '"',
  "'",
  '`',
  '|',
  '&&',
  ';',
  '\n',
  '<<E',
  '\nE\n',
  '{a,',
  '}',
  '<(',
  '$' + '{a:-',
  'sudo',
  'sh -c',
  'find',
  '-exec',
  '{} +',
  'xargs',
  'eval',
  'for a in',
  '; do',
  'done',
  'a=',
  '[[',
  ']]',
  '*',
  '?',
  '\\',
  'python -c',
  'docker run -v',
  '>',
  '2>&1',
  'é',
  '\u0000',
  '\uE000',
];

test('whatever the command, the answer is one of three and nothing of it is a fault', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })), { maxLength: 40 }),
      (parts) => {
        const result = structuralGuard({
          executor: 'shell_exec',
          args: { command: parts.join(' ') },
          home: '/home/user',
        });
        expect(['block', 'mark', 'pass']).toContain(result.answer);
        expect(result.marks).not.toContain('shell.not-judged');
      },
    ),
    { numRuns: 1_000 },
  );
});

test('whatever the arguments, nothing is thrown', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.anything({ withMap: true, withNullPrototype: true }),
      fc.anything(),
      (executor, args, context) => {
        expect(['block', 'mark', 'pass']).toContain(
          structuralGuard({ executor, args, context, home: '/home/user' }).answer,
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test('one call, one answer', () => {
  const input = {
    executor: 'shell_exec',
    args: { command: 'x=/; find $x -name a | xargs rm; rm -fr "$x"' },
    home: '/home/user',
  };
  const first = JSON.stringify(structuralGuard(input));
  for (let i = 0; i < 50; i++) expect(JSON.stringify(structuralGuard(input))).toBe(first);
});
