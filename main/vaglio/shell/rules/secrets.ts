import { FILTERS, isDataArg, TEXT_TOOLS } from '../data.ts';
import { isInterpreter } from '../languages.ts';
import { sortWords } from '../options.ts';
import { readings } from '../paths.ts';
import { holdsSecrets, isDisk, type Sureness, secretAt } from '../places.ts';
import { placeOf, places } from '../targets.ts';
import type { Arg, CommandFact, Rule, Session } from '../types.ts';

/** Something in the word has to remind of a listed place before the path is worked out. */
const WANTED = /ssh|gnupg|aws|cred|passwd|shadow|sudoers|ssw|hado|udoe|root|boot|sys|proc|\.\.|etc/i;

function secretArg(c: CommandFact, s: Session, wanted: Sureness): Arg | boolean {
  for (const { arg, path } of places(c, s, WANTED)) if (secretAt(path, s.home) === wanted) return arg;
  for (const r of c.redirects) {
    for (const path of readings(placeOf(r.target.v, c, s))) if (secretAt(path, s.home) === wanted) return r.target;
  }
  return false;
}

/** A listed path inside a longer word: `\\input{/etc/shadow}`, `load_file('/etc/passwd')`. */
function buried(c: CommandFact, s: Session, inCode: boolean): Arg | boolean {
  if (isInterpreter(c.name)) return false;
  for (let i = 0; i < c.args.length; i++) {
    const arg = c.args[i];
    if (arg === undefined || !/[\s"'(){}<,;|!]/.test(arg.v) || !WANTED.test(arg.v)) continue;
    if (isDataArg(c, i) && !(SED.has(c.name) && SED_FILE.test(arg.v))) continue;
    if (CODE_MARKS.test(arg.v) === inCode && namesSecret(arg.v, c, s)) return arg;
  }
  const input = c.input;
  if (!inCode || input === null || FILTERS.has(c.name) || TEXT_TOOLS.has(c.name)) return false;
  if (!WANTED.test(input)) return false;
  // A list of files on the input, or a small program.
  const listed = input
    .split('\n')
    .filter((line) => /^\s*[/~.]\S*\s*$/.test(line))
    .join('\n');
  return (CODE_MARKS.test(input) || listed !== '') && namesSecret(CODE_MARKS.test(input) ? input : listed, c, s);
}

function namesSecret(text: string, c: CommandFact, s: Session): boolean {
  for (const piece of text.slice(0, 32_768).split(/[\s"'`(){}[\],;<>|!]+/)) {
    if (!/^(?:[/~]|file:|\.\.\/)/.test(piece)) continue;
    for (const path of readings(placeOf(piece, c, s))) if (secretAt(path, s.home) === 'yes') return true;
  }
  return false;
}

const SED: ReadonlySet<string> = new Set(['sed', 'gsed']);
/** `r FILE` and `w FILE` in a sed script. */
const SED_FILE = /(?:^|[;{}\s\d$/])[rRwW]\s*[/~]/;

const CODE_MARKS =
  /[({<"'|!]\s*(?:[/~]|file:)|^[:.!\\]|(?:^|[;:\s])(?:r|read|source|include|input|import|copy|load|cat|open|from)\s+[/~]/;

const TREE_READERS = [
  'cat',
  'cp',
  'gcp',
  'mv',
  'tar',
  'zip',
  '7z',
  '7za',
  'rsync',
  'scp',
  'grep',
  'rg',
  'rclone',
  'sftp',
  'rm',
  'gzip',
  'cpio',
  'pax',
  'ln',
  'chmod',
  'chown',
  'aws',
  'gsutil',
  'restic',
  'borg',
];
const RAW_READERS = [
  'dd',
  'gdd',
  'cat',
  'strings',
  'xxd',
  'hexdump',
  'od',
  'grep',
  'head',
  'tail',
  'cp',
  'pv',
  'debugfs',
  'photorec',
  'foremost',
  'dc3dd',
  'dcfldd',
  'base64',
  'nc',
];

export const secretPath: Rule = {
  id: 'secret.path',
  answer: 'block',
  protects: 'keys, passwords and the other listed places',
  harm: 'secret-access',
  needs: ['targets', 'redirects'],
  tools: '*',
  trigger: WANTED,
  when: (c, s) => secretArg(c, s, 'yes'),
};

export const secretRules: readonly Rule[] = [
  secretPath,
  {
    id: 'secret.maybe',
    answer: 'mark',
    protects: 'keys, passwords and the other listed places',
    harm: 'secret-access',
    needs: ['targets'],
    tools: '*',
    trigger: WANTED,
    when: (c, s) => secretArg(c, s, 'maybe'),
  },
  {
    id: 'secret.in-code',
    answer: 'block',
    protects: 'keys, passwords and the other listed places',
    harm: 'secret-access',
    needs: ['code'],
    tools: '*',
    trigger: WANTED,
    when: (c, s) => buried(c, s, true),
  },
  {
    id: 'secret.mentioned',
    answer: 'mark',
    protects: 'keys, passwords and the other listed places',
    harm: 'secret-access',
    needs: ['code'],
    tools: '*',
    trigger: WANTED,
    when: (c, s) => buried(c, s, false),
  },
  {
    id: 'secret.tree',
    answer: 'mark',
    protects: 'the accounts and keys among the system’s settings',
    harm: 'secret-access',
    needs: ['verb', 'targets'],
    tools: ['tar', 'zip', '7z', 'cp', 'rsync', 'scp', 'cpio', 'ln'],
    when: (c, s) => {
      for (const arg of sortWords(c.args).operands) {
        const path = placeOf(arg.v, c, s);
        if (
          (path === '/etc' || (path === '/' && c.name === 'ln')) &&
          (/^(?:tar|zip|7z|cpio)$/.test(c.name) || arg !== c.args.at(-1))
        )
          return arg;
      }
      return false;
    },
  },
  {
    id: 'secret.folder',
    answer: 'block',
    protects: 'the folder that holds cloud credentials',
    harm: 'secret-access',
    needs: ['verb', 'targets'],
    tools: TREE_READERS,
    when: (c, s) => {
      for (const { arg, path } of places(c, s, /\.aws/i)) if (holdsSecrets(path)) return arg;
      return false;
    },
  },
  {
    id: 'secret.raw-disk',
    answer: 'mark',
    protects: 'everything on a disk, read past all permissions',
    harm: 'secret-access',
    needs: ['verb', 'targets'],
    tools: RAW_READERS,
    when: (c, s) => {
      for (const { arg, path } of places(c, s, /\/dev\//)) if (isDisk(path)) return arg;
      return false;
    },
  },
  {
    id: 'secret.accounts-editor',
    answer: 'block',
    protects: 'the list of who may become administrator',
    harm: 'secret-access',
    needs: ['verb'],
    tools: ['visudo', 'vipw', 'vigr'],
    when: (c) => !c.args.some((arg) => /^(?:-c|--check|-h|--help|-V|--version)$/.test(arg.v)),
  },
];
