import { optionValue, sortWords } from '../options.ts';
import { cwdOf } from '../parameters.ts';
import { inSystemTree, isControl, isOperatorKey, lossAt } from '../places.ts';
import { placeOf, places } from '../targets.ts';
import type { Arg, CommandFact, Rule, Session } from '../types.ts';

const READERS: ReadonlySet<string> = new Set([
  'cat',
  'bat',
  'less',
  'more',
  'head',
  'tail',
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'jq',
  'yq',
  'wc',
  'ls',
  'stat',
  'file',
  'diff',
  'cmp',
  'md5sum',
  'sha256sum',
  'cd',
  'test',
  '[',
  'du',
  'find',
  'tree',
  'awk',
  'sort',
  'uniq',
  'cut',
  'realpath',
  'readlink',
  'dirname',
  'basename',
  'eza',
  'exa',
  'zcat',
  'tac',
  'nl',
  'xxd',
  'od',
  'hexdump',
  'git',
  'code',
  'open',
  'vaglio',
]);
const COPIERS: ReadonlySet<string> = new Set(['cp', 'gcp', 'rsync', 'scp', 'install']);
const WRITE = /^(?:>|>>|>\||&>|&>>|<>|>&)$/;
const WANTED = /metnos|\.claude|claude|\.codex|codex|\.gemini|gemini|settings|hooks|vaglio|\.db|\.toml|panel\.lock/i;

function controlled(c: CommandFact, s: Session, v: string): boolean {
  return isControl(placeOf(v, c, s), s.home, s.control);
}

/** In a folder of control files, or with control files at places of their own, names tell nothing. */
export function anyWordMayBeControl(c: CommandFact, s: Session): boolean {
  const cwd = cwdOf(c.scope);
  return s.control.length > 0 || (cwd !== null && isControl(cwd, s.home, s.control));
}

function changes(c: CommandFact, s: Session): Arg | boolean {
  for (const r of c.redirects) if (isOperatorKey(placeOf(r.target.v, c, s), s.home, s.control)) return r.target;
  for (const { arg, path } of places(c, s, /panel\.lock/i)) if (isOperatorKey(path, s.home, s.control)) return arg;
  for (const r of c.redirects) if (WRITE.test(r.op) && controlled(c, s, r.target.v)) return r.target;
  if (READERS.has(c.name) && !c.args.some((arg) => arg.v === '-delete')) return false;
  if (c.name === 'sed' && !c.args.some((arg) => /^-[a-zA-Z]*i|^--in-place/.test(arg.v))) return false;
  if (/^sqlite3?$/.test(c.name) && c.args.some((arg) => /^-?-readonly$/.test(arg.v))) return false;
  if (COPIERS.has(c.name)) {
    const to = optionValue(c.args, ['-t', '--target-directory']) ?? sortWords(c.args).operands.at(-1);
    return to !== undefined && controlled(c, s, to.v) ? to : false;
  }
  for (const { arg, path } of places(c, s, anyWordMayBeControl(c, s) ? /./ : WANTED))
    if (isControl(path, s.home, s.control)) return arg;
  return false;
}

const ACTS = /^(?:approve|reject|deny|allow|grant|revoke|resolve|pair|unpair|unlock|uninstall)$/;
const NOUNS =
  /^(?:level|levels|grant|grants|approval|approvals|setting|settings|config|pairing|pairings|autonomy|policy)$/;
const CHANGING =
  /^(?:set|add|create|new|remove|rm|delete|update|import|reset|raise|approve|reject|revoke|resolve|enable|disable|edit|allow)$/;

/** What starts the command line from its folder: `npm run vaglio -- ...`, `node .../vaglio.mjs ...`. */
const RUNNERS = ['npm', 'pnpm', 'yarn', 'bun', 'deno', 'node', 'nodejs', 'tsx'];
const OUR_PROGRAM = /^(?:vaglio|(?:.*\/)?(?:vaglio\.mjs|main\/cli\.js|cli\/main\.ts))$/;

/** The words that our own command line gets. */
function ownWords(c: CommandFact): readonly Arg[] {
  if (!RUNNERS.includes(c.name)) return c.args;
  const at = c.args.findIndex((arg) => OUR_PROGRAM.test(arg.v));
  return at < 0 ? [] : c.args.slice(at + 1).filter((arg) => arg.v !== '--');
}

/** Trees whose owner changes without harm to the system itself. */
const LOOSE_TREES = /^\/(?:home|users|srv|opt|mnt|media|volumes)$/i;

export const controlRules: readonly Rule[] = [
  {
    id: 'control.files',
    answer: 'block',
    protects: 'the panel’s records and the agents’ hook settings',
    harm: 'control',
    needs: ['verb', 'targets', 'redirects'],
    tools: '*',
    trigger: WANTED,
    when: changes,
  },
  {
    id: 'control.decisions',
    answer: 'block',
    protects: 'decisions that only a person takes',
    harm: 'control',
    needs: ['verb', 'flags'],
    tools: ['vaglio', 'vaglio.mjs', 'metnos', ...RUNNERS],
    when: (c) => {
      const [noun, verb] = sortWords(ownWords(c)).operands;
      if (noun === undefined) return false;
      if (ACTS.test(noun.v)) return noun;
      return NOUNS.test(noun.v) &&
        verb !== undefined &&
        (CHANGING.test(verb.v) || (/^levels?$/.test(noun.v) && !/^(?:show|get|list)$/.test(verb.v)))
        ? verb
        : false;
    },
  },
  {
    id: 'control.stop',
    answer: 'block',
    protects: 'the program that watches over the agent',
    harm: 'control',
    needs: ['verb', 'targets'],
    tools: ['pkill', 'killall', 'systemctl', 'launchctl', 'service', 'kill'],
    when: (c) => {
      const target = c.args.find((arg) => /^(?:[\w.@-]*[./])?(?:vaglio|metnos)(?:[.@-][\w.@-]*)?$/i.test(arg.v));
      if (target === undefined) return false;
      return /kill/.test(c.name) ||
        c.args.some((arg) => /^(?:stop|kill|disable|mask|restart|unload|bootout|remove)$/.test(arg.v))
        ? target
        : false;
    },
  },
  {
    id: 'permissions.system',
    answer: 'block',
    protects: 'who may read and change the system',
    harm: 'system-loss',
    needs: ['verb', 'flags', 'targets'],
    tools: ['chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'gchmod', 'gchown', 'icacls', 'takeown'],
    when: (c, s) => {
      const o = sortWords(c.args);
      const deep = /R/.test(o.letters) || o.long.includes('recursive');
      const open = o.operands.some((arg) => /^0?(?:[0-7]?77[0-7]|[0-7]{0,1}000|666)$|^[augo]*[+=][rwx]*w/.test(arg.v));
      if (!deep && !open) return false;
      for (const arg of o.operands.slice(1)) {
        const path = placeOf(arg.v, c, s);
        const loss = lossAt(path, s.home);
        if (loss === 'root' || (loss === 'system' && deep && !LOOSE_TREES.test(path))) return arg;
      }
      return false;
    },
  },
  {
    id: 'permissions.wide',
    answer: 'mark',
    protects: 'who may read and change files',
    harm: 'permissions',
    needs: ['verb', 'flags', 'targets'],
    tools: ['chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'gchmod', 'gchown'],
    when: (c, s) => {
      const o = sortWords(c.args);
      const deep = /R/.test(o.letters) || o.long.includes('recursive');
      if (deep && o.operands.slice(1).some((arg) => inSystemTree(`${placeOf(arg.v, c, s)}/`))) return true;
      if (c.name.endsWith('chmod')) {
        return o.operands.some(
          (arg) =>
            /^0?(?:[0-7]?77[67]|[0-7]?000|666|[2467][0-7]{3})$|^(?:[ugoa]*[oa][ugoa]*)?[+=][rx]*w|[ug]*\+[rwx]*s|^[augo]*[-=]$/.test(
              arg.v,
            ) ||
            (deep && /^(?:[ugoa]*-|a=)/.test(arg.v)),
        );
      }
      if (c.name === 'chattr') return deep || o.operands.some((arg) => /^[-+].*[ia]/.test(arg.v));
      return (
        deep &&
        (c.name === 'setfacl' ||
          // A person's own files may change hands between their own programs.
          o.operands
            .slice(1)
            .some((arg) => /^(?:\/|\.\.)/.test(placeOf(arg.v, c, s)) && !placeOf(arg.v, c, s).startsWith(`${s.home}/`)))
      );
    },
  },
  {
    id: 'system.write',
    answer: 'mark',
    protects: 'the configuration and programs of the system',
    harm: 'system-loss',
    needs: ['verb', 'targets', 'redirects'],
    tools: '*',
    when: (c, s) => {
      for (const r of c.redirects)
        if (
          WRITE.test(r.op) &&
          inSystemTree(placeOf(r.target.v, c, s)) &&
          !placeOf(r.target.v, c, s).startsWith('/var/log/')
        )
          return r.target;
      if (c.name !== 'tee' && !(c.name === 'sed' && c.args.some((arg) => /^-[a-zA-Z]*i/.test(arg.v)))) return false;
      return (
        sortWords(c.args).operands.find((arg) => arg.v.startsWith('/') && inSystemTree(placeOf(arg.v, c, s))) ?? false
      );
    },
  },
  {
    id: 'system.crash',
    answer: 'block',
    protects: 'the running system',
    harm: 'system-loss',
    needs: ['redirects', 'targets'],
    tools: '*',
    when: (c, s) => {
      for (const r of c.redirects)
        if (WRITE.test(r.op) && placeOf(r.target.v, c, s) === '/proc/sysrq-trigger') return r.target;
      return c.name === 'tee' ? (c.args.find((arg) => placeOf(arg.v, c, s) === '/proc/sysrq-trigger') ?? false) : false;
    },
  },
];
