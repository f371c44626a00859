import { TEXT_TOOLS } from '../data.ts';
import { sortWords } from '../options.ts';
import type { Arg, CommandFact, Rule } from '../types.ts';
import { HARMFUL_SUBCOMMANDS } from './service-tools.ts';

const VERB =
  'delete|destroy|remove|purge|prune|drop|terminate|wipe|erase|uninstall|revoke|flush|forget|unpublish|deregister|decommission|nuke|deprovision|obliterate|tombstone|truncate|expunge';
const EXACT = new RegExp(
  `^(?:${VERB}|rm|rb|rmi|rmdir|del|unlink|reset|disable|force_reset|factory-reset|deinit|unregister|delete-all|clear|teardown|abort-multipart-upload|reinit|kill|mdelete|delete_all|flushall|flushdb|archive|down)$`,
  'i',
);
const JOINED = new RegExp(
  `^(?:(?:batch-|bulk-|force-|schedule-|kv:|r2:)?(?:${VERB}|disable|reset)[-_:][\\w:-]+|[\\w.:-]+[:.](?:${VERB}|rm|reset|fresh|nuke|rollback|clean|empty|wipe)|(?:batch|bulk|force|mass|multi)[-_](?:${VERB}|reset)|[a-z]+-(?:${VERB}))$`,
  'i',
);
const CAMEL = /^(?:delete|erase|destroy|remove|purge|drop|wipe)[A-Z]\w*$/;
const OPTION =
  /^--(?:delete|prune|purge|force-reset|reset|drop|remove-source-files|delete-\w[\w-]*|remove-orphans|destroy|clean|force-conflicts|truncate|wipe|overwrite-existing|del)(?:=(?!false|no|0)|$)/;

/** Programs whose operands are files, texts or settings, and whose words so say nothing about what they do. */
const QUIET: ReadonlySet<string> = new Set([
  ...TEXT_TOOLS,
  'man',
  'info',
  'say',
  'wall',
  'espeak',
  'git',
  'rm',
  'find',
  'ls',
  'cat',
  'less',
  'more',
  'head',
  'tail',
  'wc',
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'ag',
  'ack',
  'sed',
  'awk',
  'gawk',
  'sort',
  'uniq',
  'cut',
  'tr',
  'tee',
  'cp',
  'mv',
  'ln',
  'touch',
  'mkdir',
  'stat',
  'file',
  'du',
  'df',
  'diff',
  'cmp',
  'comm',
  'join',
  'paste',
  'csplit',
  'cd',
  'pushd',
  'test',
  '[',
  'vim',
  'vi',
  'nvim',
  'nano',
  'emacs',
  'code',
  'subl',
  'open',
  'xdg-open',
  'bat',
  'tree',
  'eza',
  'exa',
  'tar',
  'zip',
  'unzip',
  'gzip',
  'xz',
  'chmod',
  'chown',
  'set',
  'export',
  'local',
  'declare',
  'read',
  'source',
  '.',
  'sh',
  'bash',
  'zsh',
  'dash',
  'fish',
  'tput',
  'stty',
  'clear',
  'history',
  'basename',
  'dirname',
  'realpath',
  'readlink',
  'jq',
  'yq',
  'md5sum',
  'sha256sum',
  'python',
  'python2',
  'perl',
  'ruby',
  'node',
  'php',
  'lua',
  'make',
  'ninja',
  'cmake',
  'gcc',
  'cc',
  'clang',
  'rustc',
  'go',
  'curl',
  'wget',
  'ssh',
  'scp',
  'sftp',
  'ping',
  'nc',
  'tmux',
  'screen',
  'kill',
  'killall',
  'pkill',
  'ps',
  'top',
  'htop',
  'xargs',
  'parallel',
  'sudo',
  'env',
  'watch',
  'time',
  'hg',
  'svn',
  'jj',
  'fossil',
  'gio',
  'ip',
  'ifconfig',
  'iw',
  'nmcli',
  'bluetoothctl',
  'pactl',
  'amixer',
  'playerctl',
  'xrandr',
  'gsettings',
  'tput',
  'grim',
  'convert',
  'magick',
  'ffmpeg',
  'sqlite3',
  'psql',
  'mysql',
  'docker-credential',
  'rg',
  'fd',
  'fzf',
  'column',
  'fold',
  'fmt',
  'strings',
  'xxd',
  'od',
  'look',
  'spell',
  'aspell',
  'mail',
  'mutt',
  'logger',
  'at',
  'crontab',
  'date',
  'cal',
  'bc',
  'dc',
  'units',
  'gh-copilot',
  'gpg',
  'pass',
  'keybase',
  'adb',
  'fastboot',
  'xset',
  'setxkbmap',
  'rcs',
  'reset',
  'sdkmanager',
]);

/** Is this a destructive verb as the command-line tools of services spell it? */
export function isDestructiveWord(v: string): boolean {
  return v.length < 64 && (EXACT.test(v) || JOINED.test(v) || CAMEL.test(v));
}

/** Where the verb may stand: the first words that are no options and no values that cannot be one. */
const WORDS_LOOKED_AT = 5;

function serviceVerb(c: CommandFact): Arg | boolean {
  if (QUIET.has(c.name)) return false;
  let seen = 0;
  let quiet = false;
  let found: Arg | undefined;
  for (let i = 0; i < c.args.length; i++) {
    const arg = c.args[i];
    if (arg === undefined) break;
    const v = arg.v;
    if (/^--?(?:help|version|dry-run(?:=\w+)?|dryrun|what-if|check|diff|simulate|no-act)$/.test(v)) quiet = true;
    if (v === '--') break;
    if (v.startsWith('-')) {
      if (OPTION.test(v) && found === undefined) found = arg;
      // Values of long options are no verbs; where one is, it is the option's own matter.
      if (
        /^--[\w-]+$/.test(v) &&
        !/^--(?:yes|force|quiet|all|verbose|recursive|json|debug|no-[\w-]+|y|q)$/.test(v) &&
        isDestructiveWord(c.args[i + 1]?.v ?? '') &&
        seen > 0
      )
        i++;
      continue;
    }
    if (seen++ < WORDS_LOOKED_AT && found === undefined && isDestructiveWord(v)) {
      // `clear` and `down`, `kill` and `archive` are only verbs of a service as its own subcommand.
      if (!/^(?:clear|down|kill|archive|reset|disable|flush)$/i.test(v) || seen <= 3) found = arg;
    }
    if (
      /^(?:help|list|ls|show|describe|get|status|search|info|view|diff|plan|validate|explain|inspect|version|completion|logs?)$/.test(
        v,
      ) &&
      seen <= 3 &&
      found === undefined
    )
      return OPTION.test(c.args.map((a) => a.v).join(' ')) ? arg : false;
  }
  return quiet ? false : (found ?? false);
}

const QUESTION = /^(?:\S+ ){0,2}(?:list|ls|show|view|get|status|search|describe|help|info|inspect|logs?|plan)(?: |$)/;

/** `gh issue list --search delete` only asks. */
function isQuestion(c: CommandFact): boolean {
  return (
    QUESTION.test(
      sortWords(c.args)
        .operands.map((arg) => arg.v)
        .join(' '),
    ) && !c.args.some((arg) => OPTION.test(arg.v))
  );
}

function specialMet(c: CommandFact, special: RegExp): boolean {
  if (c.args.some((arg) => /^--(?:help|version|dry-run(?:=\w+)?)$/.test(arg.v))) return false;
  const operands = sortWords(c.args)
    .operands.map((arg) => arg.v)
    .join(' ');
  if (!special.test(operands) && !special.test(c.args.map((arg) => arg.v).join(' '))) return false;
  return !/^(?:ps|images|logs|inspect|version|info|search)(?: |$)/.test(operands);
}

function httpDelete(c: CommandFact): Arg | boolean {
  if (/^(?:http|https|xh|xhs|httpie|curlie)$/.test(c.name)) return c.args.find((arg) => arg.v === 'DELETE') ?? false;
  return (
    c.args.find(
      (arg, i) =>
        (/^(?:-X|--request|--method)$/.test(c.args[i - 1]?.v ?? '') && /^delete$/i.test(arg.v)) ||
        /^(?:-X|--request=|--method=)delete$/i.test(arg.v),
    ) ?? false
  );
}

export const serviceRules: readonly Rule[] = [
  {
    id: 'service.destroy',
    answer: 'mark',
    protects: 'data, servers and settings behind a service’s own tool',
    harm: 'data-loss',
    needs: ['verb', 'flags'],
    tools: '*',
    when: (c) => {
      const special = HARMFUL_SUBCOMMANDS.get(c.name);
      if (c.args.length === 0 || (special === undefined && QUIET.has(c.name))) return false;
      const met = special !== undefined && specialMet(c, special) ? true : serviceVerb(c);
      return met !== false && isQuestion(c) ? false : met;
    },
  },
  {
    id: 'service.http-delete',
    answer: 'mark',
    protects: 'what lies behind an address',
    harm: 'data-loss',
    needs: ['verb', 'flags'],
    tools: ['curl', 'http', 'https', 'xh', 'xhs', 'httpie', 'curlie', 'wget', 'gh', 'glab'],
    when: httpDelete,
  },
];
