import type { Arg } from './types.ts';

/** How a program that starts another one takes its words. */
export interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued: ReadonlySet<string>;
  /** Operands before the command (`timeout 5 CMD`). */
  readonly skip: number;
  /** May `NAME=value` stand before the command? */
  readonly assigns: boolean;
}

function wrapper(valued = '', skip = 0, assigns = false): Wrapper {
  return { valued: new Set(valued === '' ? [] : valued.split(' ')), skip, assigns };
}

const plain = wrapper();

/** Programs that run the command in their words and change nothing about what it does to files. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  [
    'sudo',
    wrapper(
      '-u -g -h -p -C -c -D -R -r -t -T -U --user --group --host --prompt --chdir --chroot --role --type',
      0,
      true,
    ),
  ],
  ['doas', wrapper('-u -C', 0, true)],
  ['pkexec', wrapper('--user')],
  ['env', wrapper('-u -C --unset --chdir', 0, true)],
  ['genv', wrapper('-u -C --unset --chdir', 0, true)],
  ['nice', wrapper('-n --adjustment')],
  ['ionice', wrapper('-c -n -p -P -u --class --classdata')],
  ['chrt', wrapper('-T -P -D', 1)],
  ['taskset', wrapper('', 1)],
  ['cpulimit', wrapper('-l -p -e --limit')],
  ['numactl', plain],
  ['nohup', plain],
  ['setsid', plain],
  ['time', wrapper('-f -o --format --output')],
  ['gtime', wrapper('-f -o --format --output')],
  ['timeout', wrapper('-s -k --signal --kill-after', 1)],
  ['gtimeout', wrapper('-s -k --signal --kill-after', 1)],
  ['command', plain],
  ['builtin', plain],
  ['exec', wrapper('-a')],
  ['noglob', plain],
  ['nocorrect', plain],
  ['stdbuf', wrapper('-i -o -e --input --output --error')],
  ['unbuffer', plain],
  ['busybox', plain],
  ['toybox', plain],
  ['coreutils', plain],
  ['strace', wrapper('-e -o -p -s -u -E -a -O -S -P -I -b -X')],
  ['ltrace', wrapper('-e -o -p -s -u -a -n -A -D -l -x')],
  ['valgrind', plain],
  ['catchsegv', plain],
  ['caffeinate', wrapper('-t -w')],
  ['systemd-inhibit', wrapper('--what --who --why --mode')],
  ['systemd-run', wrapper('-p -u -M --unit --property --slice --uid --gid --setenv -E')],
  ['fakeroot', wrapper('-l -s -i -b')],
  ['proot', wrapper('-r -b -w')],
  ['firejail', plain],
  ['xvfb-run', wrapper('-e -f -n -p -s')],
  ['dbus-run-session', plain],
  ['rlwrap', wrapper('-f -H -s')],
  ['setarch', wrapper('', 1)],
  ['linux32', plain],
  ['linux64', plain],
  ['setpriv', wrapper('--reuid --regid --groups')],
  ['prlimit', plain],
  ['gosu', wrapper('', 1)],
  ['su-exec', wrapper('', 1)],
  ['chpst', wrapper('-u -U -b -e -d -o -p -f -c -n')],
  ['softlimit', plain],
  ['setlock', wrapper('', 1)],
  ['unshare', wrapper('-S -G -R -w')],
  ['nsenter', wrapper('-t -S -G -r -w --target')],
  ['proxychains', wrapper('-f')],
  ['proxychains4', wrapper('-f')],
  ['torsocks', plain],
  ['torify', plain],
  ['tsocks', plain],
  ['direnv', wrapper('', 2)],
  ['op', wrapper('', 1)],
  ['dotenv', wrapper('-f -e', 0)],
  ['cross-env', wrapper('', 0, true)],
  ['perf', wrapper('-e -o', 1)],
  ['aa-exec', wrapper('-p -n')],
  ['runcon', wrapper('-t -u -r -l', 1)],
  ['start-stop-daemon', wrapper('-p -u -g -c -d')],
  ['daemonize', wrapper('-c -e -o -p -l -u')],
  ['entr', plain],
  ['retry', plain],
  ['chronic', plain],
  ['ts', plain],
  ['npx', wrapper('-p --package -c')],
  ['bunx', plain],
  ['pnpx', plain],
  ['npm', wrapper('', 1)],
  ['pnpm', wrapper('', 1)],
  ['sshpass', wrapper('-p -f -d -P')],
  ['pipenv', wrapper('', 1)],
  ['poetry', wrapper('', 1)],
  ['uv', wrapper('', 1)],
  ['bundle', wrapper('', 1)],
  ['mirrord', wrapper('', 1)],
]);

/** Only with this first operand are they wrappers at all. */
const RUN_WORD: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^(?:exec|x)$/],
  ['pnpm', /^(?:exec|dlx)$/],
  ['pipenv', /^run$/],
  ['poetry', /^run$/],
  ['uv', /^run$/],
  ['bundle', /^exec$/],
  ['direnv', /^exec$/],
  ['op', /^run$/],
  ['perf', /^(?:stat|record|trace)$/],
  ['mirrord', /^exec$/],
]);

/** Programs that join their words, or take one word, and give it to a shell. */
export const SHELL_JOINERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['watch', new Set(['-n', '-i', '--interval'])],
  ['hyperfine', new Set(['-w', '-r', '-m', '-M', '-n', '-p', '-c', '-s', '--warmup', '--runs'])],
  ['concurrently', new Set(['-n', '-c', '--names'])],
  ['nodemon', new Set(['-w', '-e', '--watch'])],
  ['fswatch', new Set([])],
]);

/** Options of many programs whose value is a command line. */
export const COMMAND_OPTIONS: ReadonlySet<string> = new Set([
  '-c',
  '--command',
  '--exec',
  '-exec',
  '--run',
  '--eval',
  '-e',
  '--execute',
  '-x',
  '--cmd',
  '--shell-command',
  '--use-compress-program',
  '--to-command',
  '--rsh',
  '--checkpoint-action',
  '--tree-filter',
  '--index-filter',
  '--msg-filter',
  '--env-filter',
  '--commit-filter',
  '-a',
  '--args',
  '--pre-command',
  '--post-command',
  '--filter',
  '--unzip-command',
  '--pager',
  '--preview',
  '--bind',
  '--hook',
  '--script',
  '-TT',
  '-I',
]);

/** `-Hu root`: the last letter of a bundle takes the next word, unless an earlier one took the rest. */
function endsInValued(v: string, valued: ReadonlySet<string>): boolean {
  if (v[1] === '-' || v.length < 3) return false;
  for (let i = 1; i < v.length; i++) if (valued.has(`-${v[i]}`)) return i === v.length - 1;
  return false;
}

/** Where the wrapped command starts; -1 when there is none. */
export function wrappedAt(name: string, wrap: Wrapper, args: readonly Arg[]): number {
  let skip = wrap.skip;
  const word = RUN_WORD.get(name);
  for (let i = 0; i < args.length; i++) {
    const v = args[i]?.v ?? '';
    if (v === '-' && wrap.assigns) continue;
    if (v === '--') {
      // `timeout -- 5 rm`: the operands to skip may still follow.
      if (skip > 0 && word === undefined) continue;
      return i + 1 < args.length ? i + 1 : -1;
    }
    if (v.startsWith('-') && v.length > 1) {
      if (wrap.valued.has(v) || endsInValued(v, wrap.valued)) i++;
      continue;
    }
    if (wrap.assigns && /^[A-Za-z_]\w*\+?=/.test(v)) continue;
    if (skip > 0) {
      if (word !== undefined && skip === wrap.skip && !word.test(v)) return -1;
      skip--;
      continue;
    }
    return i;
  }
  return -1;
}
