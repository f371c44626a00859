import { expect, test } from 'vitest';
import { MOST_COMMAND, type StructuralInput, structuralGuard } from './structural.ts';
import type { TreeNode } from './types.ts';

const home = '/home/user';

function judge(args: unknown, more: Partial<StructuralInput> = {}) {
  return structuralGuard({ executor: 'shell_exec', args, home, ...more });
}

function texts(node: TreeNode): string[] {
  return [...(node.kind === 'command' ? [node.text] : []), ...node.children.flatMap(texts)];
}

test('a block names its rule, its reason and where it stands', () => {
  const command = 'ls && rm -fr "$HOME"';
  const result = judge({ command });
  expect(result).toMatchObject({ answer: 'block', rule: 'delete.home', reason: 'guard: struttura shell: delete.home' });
  expect(command.slice(result.span?.start, result.span?.end)).toBe('"$HOME"');
});

test('a mark has a rule and no reason, a pass has neither', () => {
  const marked = judge({ command: 'git reset --hard' });
  expect(marked).toMatchObject({ answer: 'mark', rule: 'git.discard', marks: ['git.discard'] });
  expect(marked.reason).toBeUndefined();
  expect(judge({ command: 'git status' })).toMatchObject({ answer: 'pass', marks: [] });
});

test('marks stand beside a block', () => {
  expect(judge({ command: 'git reset --hard; rm -fr /' })).toMatchObject({
    answer: 'block',
    rule: 'delete.root',
    marks: ['git.discard', 'delete.tree'],
  });
});

test('a match in a nested text points at the word that holds it', () => {
  const command = "bash -lc 'cd /; rm -rf *'";
  const { span } = judge({ command });
  expect(command.slice(span?.start, span?.end)).toBe("'cd /; rm -rf *'");
});

test('the tree shows what runs, with what is unknown as an ellipsis', () => {
  const { tree } = judge({ command: 'X=/tmp/$USER; sudo env A=1 sh -c "rm -rf $X/$UNKNOWN"' });
  expect(texts(tree)).toEqual([
    "sudo env A=1 sh -c 'rm -rf /tmp/user/…'",
    "env A=1 sh -c 'rm -rf /tmp/user/…'",
    "sh -c 'rm -rf /tmp/user/…'",
    'rm -rf /tmp/user/…',
  ]);
});

test.each<[string, string]>([
  ['echo {a,b}{1..2} $((1))', 'echo a1 a2 b1 b2 …'],
  ["echo $'\\x41' a\\ b", "echo A 'a b'"],
  [
    'a=abcabc; echo $\u007ba//b/x} $\u007ba#*b} $\u007ba%b*} $\u007ba:1:2} $\u007ba^^}',
    'echo axcaxc cabc abca bc ABCABC',
  ],
  ['a=(x y); echo "$\u007ba[@]}" $\u007ba[1]}', 'echo x y y'],
  ['IFS=,; a=x,y; echo $a "$a"', 'echo x y x,y'],
  ['echo *.c ~/x [a]b', 'echo *.c /home/user/x ab'],
  ['echo $(printf "%s-%s" a b)', 'echo a-b'],
  ['read a b <<< "x y z"; echo $b', 'echo y z'],
])('resolves %s', (command, shown) => {
  expect(texts(judge({ command }).tree)).toContain(shown);
});

test('a word list is judged as it is started and as it would be joined', () => {
  expect(judge({ command: ['rm', '-fr', '/'] }).rule).toBe('delete.root');
  expect(judge({ command: ['sh', '-c', 'rm -fr /'] }).rule).toBe('delete.root');
  expect(judge({ command: ['rm -fr', '/'] }).rule).toBe('delete.root');
  expect(judge({ command: 'bash', args: ['-c', 'rm -fr /'] }).rule).toBe('delete.root');
  expect(judge({ command: ['ls', '-l'] }).answer).toBe('pass');
});

test('commands under other keys and of other tools are read too', () => {
  expect(judge({ Command: 'rm -fr /' }, { executor: 'run_terminal' }).rule).toBe('delete.root');
  expect(judge({ command: 'ls', shell: 'cat /etc/./shadow' }, { executor: 'mcp_tool' }).rule).toBe('secret.path');
  expect(judge({ cmd: 'rm -fr /' }, { executor: 'x', context: { capability: 'code:exec' } }).rule).toBe('delete.root');
  expect(judge({ code: 'import shutil\nshutil.rmtree("/")' }, { context: { capability: 'code:exec' } }).rule).toBe(
    'delete.root',
  );
});

test('texts that only mention a danger meet nothing', () => {
  for (const key of ['content', 'message', 'new_string', 'body']) {
    expect(judge({ path: 'notes.md', [key]: 'rm -fr / and //etc/passwd' }, { executor: 'write_file' }).answer).toBe(
      'pass',
    );
  }
});

test('the working folder counts, from the call or from its context', () => {
  expect(judge({ command: 'cat passwd' }, { cwd: '/etc' }).rule).toBe('secret.path');
  expect(judge({ command: 'rm -rf *' }, { context: { cwd: '/' } }).rule).toBe('delete.root');
  expect(judge({ command: 'rm -rf *' }, { cwd: '/home/user/project/dist' }).answer).toBe('mark');
});

test('invisible characters, escape sequences and full-width forms do not hide a command', () => {
  for (const command of [
    'r\u200bm -fr /',
    '\u001b[31mrm\u001b[0m -fr /',
    '\uff52\uff4d -fr \uff0f',
    'rm\u00a0-fr\u00a0/',
    'r\u0000m -fr /',
  ]) {
    expect(judge({ command }).rule, JSON.stringify(command)).toBe('delete.root');
  }
});

test('our own symbols in a command mean nothing', () => {
  expect(judge({ command: 'rm -rf /\uE003' }).answer).toBe('mark');
  expect(judge({ command: 'echo \uE001 | sh' }).marks).not.toContain('code.from-network');
});

test('a long command is a mark, and a block where its ends show one', () => {
  const padding = `echo ${'a'.repeat(MOST_COMMAND)}`;
  expect(judge({ command: padding })).toMatchObject({ answer: 'mark', rule: 'shell.too-much' });
  expect(judge({ command: `rm -fr /; ${padding}` }).rule).toBe('delete.root');
  expect(judge({ command: `${padding}\nrm -fr /` }).rule).toBe('delete.root');
});

test.each<[string, string]>([
  ['nested substitutions', '$('.repeat(10_000)],
  ['nested braces', `rm ${'{a,'.repeat(700)}x${'}'.repeat(700)}`],
  ['loops in loops', `${'for a in {1..40}; do '.repeat(6)}rm x; ${'done;'.repeat(6)}`],
  [
    'calls that double',
    `${Array.from({ length: 60 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; };`).join('')} rm x; f0`,
  ],
  ['thousands of words', `rm ${'a '.repeat(5_000)}`],
  ['an alias of itself', `alias a='a a'; a; rm x; ${'a; '.repeat(900)}`],
])('%s end as a mark', (_, command) => {
  expect(judge({ command }).marks).toContain('shell.too-much');
});

test('a variable doubled again and again becomes unknown, not huge', () => {
  const command = `a=aaaaaaaa; ${'a=$a$a;'.repeat(200)} rm "$a"`;
  expect(judge({ command })).toMatchObject({ answer: 'mark', rule: 'delete.tree' });
});

test('arguments that cannot be read are a mark', () => {
  const hostile = {
    get command(): string {
      throw new Error('no');
    },
  };
  expect(judge(hostile)).toMatchObject({ answer: 'mark', rule: 'shell.not-judged' });
});

test('a fault after a block leaves the block', () => {
  const args = {
    command: 'rm -fr /',
    get path(): string {
      throw new Error('no');
    },
  };
  const values = structuralGuard({
    executor: 'shell_exec',
    args: new Map<string, unknown>([
      ['command', 'rm -fr /'],
      ['deep', args],
    ]),
    home,
  });
  expect(values).toMatchObject({ answer: 'block', rule: 'delete.root' });
  expect(values.marks).toContain('shell.not-judged');
});

test('a program may have any name', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    expect(judge({ command: `${name} a -c b` }).answer).toBe('pass');
});

test('the root account’s own home is no closed place for itself', () => {
  expect(judge({ command: 'ls ~/project' }, { home: '/root' }).answer).toBe('pass');
  expect(judge({ command: 'rm -rf ~' }, { home: '/root' }).answer).toBe('block');
});

test('moved control files are given by path', () => {
  expect(judge({ command: 'rm -r /d/turns' }, { control: ['/d/turns'] }).rule).toBe('control.files');
  const more = { control: ['/data/metnos/panel.db'] };
  expect(judge({ command: 'rm /data/metnos/panel.db-wal' }, more).rule).toBe('control.files');
  expect(judge({ command: 'rm /data/metnos/panel.db-wal' }).rule).toBe('delete.tree');
});
