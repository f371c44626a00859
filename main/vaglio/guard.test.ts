import { describe, expect, test } from 'vitest';
import { caseLines } from './cases.fixture.ts';
import { parseExactJson } from './exact-json.ts';
import { forbiddenPathMatch, guard, UNREADABLE_RULE } from './guard.ts';
import { DANGEROUS_SHELL, FORBIDDEN_PATHS } from './guard-rules.ts';
import { parsePasswd } from './passwd.ts';

const HOME = '/home/user';
const passwd = parsePasswd(
  'root:x:0:0:root:/root:/bin/bash\nsys:x:3:3:sys:/dev:/usr/sbin/nologin\ndaemon:x:1:1::/usr/sbin:/bin/sh\n',
);

function ruleFor(args: unknown, executor = 'read_files', context: unknown = {}, home = HOME): string | null {
  const result = guard(executor, args, context, home, passwd);
  return result.blocked ? result.rule : null;
}

/** Texts that each path rule stops, and neighbours that it lets pass. */
const PATHS: Record<(typeof FORBIDDEN_PATHS)[number], { hits: string[]; misses: string[] }> = {
  '(^|/)\\.ssh(/|$)': {
    hits: ['.ssh', '/.ssh', '.ssh/id', '~/.ssh/id_rsa', '/home/u/.ssh\n', 'see a/.ssh/b', 'x.ssh/.ssh', '../.ssh'],
    misses: ['x.ssh', '.sshd', '.ssh\n\n', '.ssh\r\n', '.SSH/id', '.ssh id', '/.ss/h', 'a\\.ssh\\b'],
  },
  '^/etc/(passwd|shadow|sudoers)': {
    hits: ['/etc/passwd', '/etc/passwd-', '/etc/shadow\n', '/etc/sudoers.d/x'],
    misses: [
      '//etc/passwd',
      ' /etc/passwd',
      'x\n/etc/passwd',
      '/etc/./passwd',
      '/etc/pass',
      '/ETC/passwd',
      '/etc/sudo',
    ],
  },
  '^/etc/ssh(/|$)': { hits: ['/etc/ssh', '/etc/ssh/', '/etc/ssh\n'], misses: ['/etc/sshd', '/etc/ssh\r', '/etc/ss'] },
  '^/root(/|$)': {
    hits: ['/root', '/root/x', '/root\n', '~root', '~root/\n', '~root/../x'],
    misses: ['/rootfs', '/root\n\n', '~root\n', ' ~root/x', '/root\u2028', 'x/root'],
  },
  '^/boot(/|$)': { hits: ['/boot', '/boot/grub'], misses: ['/bootx', '/boo'] },
  '^/sys(/|$)': { hits: ['/sys', '/sys/fs'], misses: ['/system', '/sy'] },
  '^/proc(/[0-9]|$)': {
    hits: ['/proc', '/proc\n', '/proc/1', '/proc/9/environ'],
    misses: ['/proc/', '/proc/self', '/proc/\u0661', '/process', '/proc/\n'],
  },
  '^/dev/(sd|nvme|mmcblk|loop)': {
    hits: ['/dev/sda', '/dev/nvme0n1', '/dev/mmcblk0', '/dev/loop0', '/dev/sd', '~sys/sda'],
    misses: ['/dev/vda', '/dev/null', '/dev/s', '/dev/mmcblx', ' /dev/sda'],
  },
  '\\.aws/credentials': {
    hits: ['.aws/credentials', 'x.aws/credentials.bak', '~/.aws/credentials'],
    misses: ['.aws//credentials', '.aws/credential', '.aws/config', 'aws/credentials'],
  },
  '\\.config/[^/]+/credentials\\.env': {
    hits: ['~/.config/metnos/credentials.env', '.config/a\nb/credentials.env.bak', '.config/\ud83d/credentials.env'],
    misses: [
      '.config//credentials.env',
      '.config/a/b/credentials.env',
      '.config/a/credentials',
      '.config/credentials.env',
    ],
  },
  '\\.gnupg(/|$)': {
    hits: ['.gnupg', 'x.gnupg', '/a/.gnupg/b', '.gnupg\n'],
    misses: ['.gnupgx', '.gnupg\n\n', '.gnup'],
  },
};

const SHELL: Record<(typeof DANGEROUS_SHELL)[number], { hits: string[]; misses: string[] }> = {
  '\\brm\\s+-rf?\\s+/(\\s|$)': {
    hits: [
      'rm -rf /',
      'rm -r /',
      'rm\u001c-rf\u0085/',
      'sudo rm  -rf\n/ x',
      'e\u0301rm -rf /',
      '\u{1f600}rm -rf /',
      'rm -rf /\n',
      '\u1c89rm -rf /',
    ],
    misses: [
      'rm -rf /tmp',
      'rm -fr /',
      'farm -rf /',
      'érm -rf /',
      '\u{1d4b6}rm -rf /',
      'rm\ufeff-rf /',
      'rm -rf/',
      'rm -rf /\0',
      'RM -rf /',
      '_rm -rf /',
    ],
  },
  '\\brm\\s+-rf?\\s+~(\\s|$|/)': {
    hits: ['rm -rf ~', 'rm -r ~/x', 'rm -rf ~\u0085'],
    misses: ['rm -rf ~x', 'rm -f ~', 'rm -rf "~"'],
  },
  '\\bmkfs\\b': {
    hits: ['mkfs', 'mkfs.ext4 x', 'a-mkfs-b', 'mkfs\u1c89'],
    misses: ['mkfsx', 'xmkfs', 'mkfs_', 'mkfsé', 'mkfs²'],
  },
  '\\bdd\\s+.*\\bof=/dev/': {
    hits: [
      'dd if=x of=/dev/sda',
      'dd\n of=/dev/x',
      'dd a\rb of=/dev/x',
      'dd a\u2028 of=/dev/x',
      'dd x\ndd y of=/dev/z',
      'dd  of=/dev/',
      'dd of=/dev/',
    ],
    misses: [
      'dd if=x\nof=/dev/x',
      'dd of=x',
      'add if=x of=/dev/x',
      'ddof=/dev/x',
      'dd xof=/dev/x',
      'dd éof=/dev/y',
      'of=/dev/x dd ',
      'dd \\\nx of=/dev/x',
    ],
  },
  ':\\s*\\(\\s*\\)\\s*\\{\\s*:\\|:&\\s*\\}': {
    hits: [':(){:|:&}', ':(){ :|:& };:', ': ( ) { :|:& }', ':\u001e()\u001e{\n:|:&\t}', '::(){:|:&}'],
    misses: [':(){ : | : & }', ':(){ :|: & };:', 'f(){ f|f& }', ':(){:|:&', ':\u200b(){:|:&}'],
  },
  '\\bchmod\\s+-?R?\\s*0?77[0-9]\\s+/': {
    hits: [
      'chmod 777 /',
      'chmod -R 777 /etc',
      'chmod R0770 /',
      'chmod -0775 /x',
      'chmod - 777 /',
      'chmod   779\n/',
      'chmod -R777 /',
    ],
    misses: [
      'chmod 755 /',
      'chmod 777 x',
      'chmod777 /',
      'chmod -RR 777 /',
      'chmod 00777 /',
      'chmod 77\u0667 /',
      'chmod 7777 /',
      'fchmod 777 /',
      'chmod 777/',
    ],
  },
};

describe.each(Object.entries(PATHS))('path rule %s', (rule, { hits, misses }) => {
  test.each(hits)('stops %j', (path) => expect(ruleFor({ path })).toBe(rule));
  test.each(misses)('lets %j pass', (path) => expect(ruleFor({ path })).not.toBe(rule));
});

describe.each(Object.entries(SHELL))('shell rule %s', (rule, { hits, misses }) => {
  test.each(hits)('stops %j', (command) => expect(ruleFor({ command }, 'shell_exec')).toBe(rule));
  test.each(misses)('lets %j pass', (command) => expect(ruleFor({ command }, 'shell_exec')).not.toBe(rule));
});

test('the rules are the seventeen of the page', () => {
  expect(Object.keys(PATHS)).toEqual([...FORBIDDEN_PATHS]);
  expect(Object.keys(SHELL)).toEqual([...DANGEROUS_SHELL]);
});

describe('a mention is enough', () => {
  test.each([
    [{ a: [{ b: [['/etc/shadow']] }] }],
    [{ exclude: '/etc/shadow' }],
    [{ content: 'x', text: ['see', '/etc/shadow'] }],
    [{ a: [1, null, true, undefined, { b: '/etc/shadow' }] }],
    [JSON.parse('{"__proto__": "/etc/shadow"}')],
    [JSON.parse('{"__proto__": {"path": "/etc/shadow"}}')],
    [new Map([['1', '/etc/shadow']])],
    ['/etc/shadow'],
  ])('in %j', (args) => expect(ruleFor(args)).toBe('^/etc/(passwd|shadow|sudoers)'));

  test('but not in a key, nor in pieces', () => {
    expect(ruleFor({ paths: { '/etc/shadow': 'r' }, parts: ['/etc/', 'passwd'] })).toBeNull();
  });

  test('the earliest value decides, then the earliest rule', () => {
    expect(ruleFor({ a: '/boot', b: '/a/.ssh' })).toBe('^/boot(/|$)');
    expect(ruleFor({ a: '/boot/.ssh/.gnupg' })).toBe('(^|/)\\.ssh(/|$)');
    expect(ruleFor({ a: '.gnupg/.aws/credentials' })).toBe('\\.aws/credentials');
    expect(ruleFor({ command: 'mkfs; rm -rf /' }, 'shell_exec')).toBe(DANGEROUS_SHELL[0]);
    expect(ruleFor(parseExactJson('{"b c": "/root", "1": "/boot"}'))).toBe('^/root(/|$)');
  });
});

describe('home folders', () => {
  test.each([
    ['~/x', '/root', '^/root(/|$)'],
    ['~', '/root/', '^/root(/|$)'],
    ['~/etc/passwd', '/', '^/etc/(passwd|shadow|sudoers)'],
    ['~/etc/passwd', '', '^/etc/(passwd|shadow|sudoers)'],
    ['~', '', null],
    ['~/../../etc/passwd', '/home/user', null],
    ['~nobody-here/x', '/root', null],
    ['~daemon/x', '/root', null],
  ])('%j with home %j', (path, home, rule) => expect(ruleFor({ path }, 'read_files', {}, home)).toBe(rule));
});

describe('which shell command is looked at', () => {
  const BAD = 'rm -rf /';
  test.each([
    [{ command: '', cmd: BAD }],
    [{ command: null, cmd: BAD }],
    [{ command: undefined, cmd: BAD }],
    [{ command: false, cmd: BAD }],
    [{ command: 0, cmd: BAD }],
    [{ command: [], cmd: BAD }],
    [{ command: {}, cmd: BAD }],
    [{ cmd: ['rm', '-rf', '/'] }],
    [{ command: ['rm', '-rf', '/', null] }],
    [{ command: ['chmod', 777, '/'] }],
    [{ command: [{ a: 'rm -rf / ' }] }],
    [{ command: [{ bin: 'mkfs' }] }],
    [{ command: [['mkfs', 'x']] }],
    [parseExactJson('{"command": 0.0, "cmd": "rm -rf /"}')],
  ])('%j is blocked', (args) => expect(ruleFor(args, 'shell_exec')).not.toBeNull());

  test.each([
    [{ command: 'ls', cmd: BAD }],
    [{ command: ' ', cmd: BAD }],
    [{ command: [''], cmd: BAD }],
    [{ command: 1, cmd: BAD }],
    [{ command: { run: BAD } }],
    [{ text: BAD }],
    [{ body: { command: BAD } }],
    [{ command: ['rm', '-rf', null, '/'] }],
    [{ command: [[BAD]] }],
    [{ command: [['rm\t-rf\t/ ']] }],
    [{ command: [['rm\u00a0-rf\u00a0/ ']] }],
    [parseExactJson('{"command": ["chmod", 777.0, "/"]}')],
  ])('%j passes', (args) => expect(ruleFor(args, 'shell_exec')).toBeNull());

  test('only for the shell, by its name or its capability', () => {
    expect(ruleFor({ command: BAD }, 'run_command')).toBeNull();
    expect(ruleFor({ command: BAD }, 'run_command', { capability: 'code:exec' })).toBe(DANGEROUS_SHELL[0]);
    expect(ruleFor({ command: BAD }, 'run_command', Object.create({ capability: 'code:exec' }))).toBe(UNREADABLE_RULE);
    expect(ruleFor(JSON.parse('{"__proto__": {"command": "rm -rf /"}}'), 'shell_exec')).toBeNull();
  });
});

describe('what cannot be read is blocked', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const accessor = {
    get path() {
      return '/tmp/x';
    },
  };
  const sharing: unknown[] = ['x'];
  for (let i = 0, inner: unknown[] = sharing; i < 900; i++) {
    const next: unknown[] = [];
    inner.push(next, next);
    inner = next;
  }
  test.each([
    ['a NUL in a user name', { path: '~a\0/x' }],
    ['half a surrogate pair in a user name', { path: '~\ud800/x' }],
    ['such a name without a slash', { path: '~\ud800' }],
    ['a cycle', cycle],
    ['an accessor', accessor],
    ['an accessor in a list', Object.defineProperty([1], 0, { get: () => 1 })],
    ['a function', { a: () => 1 }],
    ['a symbol', { a: Symbol('x') }],
    ['a date', { a: new Date(0) }],
    ['a set', { a: new Set(['x']) }],
    ['bytes', { a: Buffer.from('x') }],
    ['inherited values', { a: Object.create({ path: '/tmp' }) }],
    ['a map with other keys', new Map([[1, 'x']])],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no');
          },
        },
      ),
    ],
    ['a text where args should be', 'hello'],
    ['a list where args should be', ['hello']],
    ['991 levels', { a: JSON.parse(`${'['.repeat(990)}${']'.repeat(990)}`) }],
    ['a million levels', { a: JSON.parse(`${'['.repeat(1e6)}${']'.repeat(1e6)}`) }],
  ])('%s', (_, args) => {
    const result = guard('read_files', args, {}, HOME, passwd);
    expect(result).toMatchObject({ blocked: true, rule: UNREADABLE_RULE });
  });

  test('what can be read passes: shared parts, odd surrogates that a file name may hold, deep nesting', () => {
    expect(ruleFor({ a: sharing })).toBeNull();
    expect(ruleFor({ a: '~\udc80/x', b: '\ud800' })).toBeNull();
    expect(ruleFor({ a: JSON.parse(`${'['.repeat(900)}${']'.repeat(900)}`) })).toBeNull();
    expect(ruleFor({ a: 10n, b: Number.NaN, c: Object.create(null) })).toBeNull();
    expect(ruleFor(null)).toBeNull();
  });
});

test.each([
  ['a folder name', '.config/', 'a', ''],
  ['white space after rm', 'rm', ' ', '-x'],
  ['white space after rm -rf', 'rm -rf', ' ', 'x'],
  ['white space after chmod', 'chmod', ' ', '-R 78'],
  ['white space after a mode', 'chmod 777', ' ', 'x'],
])('twenty million characters of %s overflow no loop and change no answer', (_, before, piece, after) => {
  expect(ruleFor({ command: before + piece.repeat(20_000_000) + after }, 'shell_exec')).toBeNull();
});

test('the span shows where: the way to the value and the text that was searched', () => {
  const args = { paths: ['/tmp/x', { 'odd key': 'go ~/x/.ssh/y' }] };
  expect(guard('read_files', args, {}, HOME, passwd)).toEqual({
    blocked: true,
    rule: '(^|/)\\.ssh(/|$)',
    reason: "guard: forbidden path violato: pattern '(^|/)\\.ssh(/|$)' in args",
    span: { path: 'paths[1]["odd key"]', start: 6, end: 12, text: '/.ssh/' },
  });
  expect(guard('shell_exec', { cmd: ['sudo', 'rm', '-rf', '/'] }, {}, HOME, passwd)).toEqual({
    blocked: true,
    rule: DANGEROUS_SHELL[0],
    reason: "guard: comando shell quasi-irrecuperabile: '\\brm\\s+-rf?\\s+/(\\s|$)'",
    span: { path: 'cmd', start: 5, end: 13, text: 'rm -rf /' },
  });
});

test('the same rules check one text, for grants', () => {
  expect(forbiddenPathMatch('~/.ssh', HOME)).toBe('(^|/)\\.ssh(/|$)');
  expect(forbiddenPathMatch('~root', HOME, passwd)).toBe('^/root(/|$)');
  expect(forbiddenPathMatch('~a\0', HOME)).toBe(UNREADABLE_RULE);
  expect(forbiddenPathMatch('~/Documents/**', HOME)).toBeNull();
});

// Rows about later parts of the original: it leaves out the values of content keys, which our page forbids, and
// protects more trees, which are not of the seventeen.
const OTHER_PARTS = /module skips content keys|not one of the 17/;
const porting = caseLines('porting.jsonl');
test.skipIf(porting === null)('every input where a literal copy would differ is answered as the original does', () => {
  const rows = (porting ?? []).map(
    (line) => JSON.parse(line) as { note: string; executor: string; python_blocks: boolean | null },
  );
  const differences: string[] = [];
  let asked = 0;
  rows.forEach((row, i) => {
    if (OTHER_PARTS.test(row.note)) return;
    asked++;
    const { args } = parseExactJson(porting?.[i] ?? '') as { args: unknown };
    const homeSet = /\[HOME(?:=([^\]]*)| (unset|empty))\]/.exec(row.note);
    const home = homeSet === null ? HOME : (homeSet[1] ?? (homeSet[2] === 'unset' ? '/root' : ''));
    const { blocked } = guard(row.executor, args, {}, home, passwd);
    if (blocked !== (row.python_blocks ?? true)) differences.push(row.note);
  });
  expect(differences).toEqual([]);
  expect(asked).toBe(202);
});
