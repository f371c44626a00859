import { wrapped } from './follow.ts';
import { within } from './launchers.ts';
import { optionValue } from './options.ts';
import { cwdOf } from './parameters.ts';
import { canonical } from './paths.ts';
import { codeDecoded, codeInput, codeNetwork } from './rules/origin.ts';
import { CODED_HOLE, HOLE, hasHole, NET_HOLE, readable } from './symbols.ts';
import { placeOf } from './targets.ts';
import type { Arg, CommandFact, Mount, Session } from './types.ts';

export const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ash',
  'ksh',
  'mksh',
  'ksh93',
  'rbash',
  'fish',
  'yash',
  'posh',
  'lksh',
  'csh',
  'tcsh',
  'elvish',
  'xonsh',
  'hush',
  'oksh',
]);

/** Programs whose output is meant to be evaluated: the set-up line of a shell. */
const SETUP_PROGRAMS =
  /^\s*(?:command\s+)?["']?(?:[\w./~${}-]*\/)?(?:ssh-agent|direnv|brew|rbenv|pyenv|nodenv|jenv|goenv|starship|zoxide|dircolors|opam|conda|mamba|minikube|docker-machine|thefuck|lesspipe|lesspipe\.sh|fzf|mise|rtx|asdf|keychain|resize|luarocks|gh|kubectl|helm|fnm|nvm|pip3?|register-python-argcomplete|atuin|navi|mcfly|tmuxifier|perl|gpg-agent|pipx|hub|pkgx|devbox|opam|npm|volta|just|rustup|poetry|uv)\b/;

/** Runs a text that arrived from elsewhere, and says so when it cannot be read or comes from outside. */
function arrived(text: string, command: CommandFact, session: Session, at: Arg, piped: boolean): string {
  const scope = within(command, at);
  const span = scope.base;
  if (text.includes(NET_HOLE)) session.hit(codeNetwork, command.scope, span);
  else if (text.includes(CODED_HOLE)) session.hit(codeDecoded, command.scope, span);
  else if (piped) session.hit(codeInput, command.scope, span);
  if (text === HOLE || text === NET_HOLE || text === CODED_HOLE) return HOLE;
  return session.text(text, scope, null);
}

const SHELL_VALUED = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file']);

/** `sh -c TEXT`, `sh FILE`, `sh` with a script on its input. */
export function shell(command: CommandFact, session: Session): string {
  const args = command.args;
  let takesText = false;
  let i = 0;
  for (; i < args.length; i++) {
    const v = args[i]?.v ?? '';
    if (v === '--' || v === '-') {
      i++;
      break;
    }
    if (!/^[-+]./.test(v)) break;
    if (SHELL_VALUED.has(v)) i++;
    else if (v === '--command' || v === '--init-command') takesText = true;
    else if (/^-[a-zA-Z]*c/.test(v)) takesText = true;
    else if (v.startsWith('--command='))
      return session.text(v.slice(10), within(command, args[i] ?? command.verb), null);
  }
  const first = args[i];
  if (takesText) {
    if (first === undefined) return '';
    const params = args.slice(i + 2).map((arg) => arg.v);
    const vars = new Map(command.scope.vars).set('0', [args[i + 1]?.v ?? command.name]);
    if (first.v === HOLE) return arrived(HOLE, command, session, first, true);
    if (first.v.includes(NET_HOLE) || first.v.includes(CODED_HOLE))
      return arrived(first.v, command, session, first, false);
    return session.text(first.v, within(command, first, { params, vars, input: command.input }), null);
  }
  if (first !== undefined && !isInput(first.v)) {
    if (first.produced !== undefined) return arrived(first.produced, command, session, first, true);
    const written = command.scope.memory.files.get(placeOf(first.v, command, session));
    if (written === undefined) return HOLE;
    return session.text(
      written,
      within(command, first, { params: args.slice(i + 1).map((arg) => arg.v) }),
      command.input,
    );
  }
  const input = first?.produced ?? command.input;
  if (input === null) return '';
  const here = command.redirects.some((r) => r.op === '<' && r.target.produced === undefined);
  if (here && input === HOLE) return HOLE;
  return arrived(input, command, session, first ?? command.verb, !isHereText(command));
}

function isInput(v: string): boolean {
  return v === '/dev/stdin' || v === '/dev/fd/0' || v === '/proc/self/fd/0';
}

/** A here-document is written out in the command itself, so nothing about it is hidden. */
function isHereText(command: CommandFact): boolean {
  return command.input !== null && !hasHole(command.input) && command.heredoc === true;
}

/** `eval`: its words are one text. */
export function evaluate(command: CommandFact, session: Session): string {
  const first = command.args[0];
  if (first === undefined) return '';
  const text = command.args.map((arg) => arg.v).join(' ');
  if (hasHole(text)) {
    const typed = session.sourceOf(first);
    const inner = /^["']?(?:\$\(|`)([\s\S]*)$/.exec(typed)?.[1];
    if (text === HOLE && inner !== undefined && SETUP_PROGRAMS.test(inner)) return '';
    return arrived(text, command, session, first, text.replace(/[\uE000]/g, '').trim() === '');
  }
  const scope = within(command, first);
  return session.text(text, { ...scope, vars: command.scope.vars }, command.input);
}

/** `.` and `source`: a file is not read here, what a substitution gives is. */
export function source(command: CommandFact, session: Session): string {
  const first = command.args[0];
  if (first === undefined) return '';
  if (first.produced !== undefined) return arrived(first.produced, command, session, first, true);
  if (isInput(first.v) && command.input !== null) return arrived(command.input, command, session, first, true);
  const written = command.scope.memory.files.get(placeOf(first.v, command, session));
  if (written !== undefined) session.text(written, within(command, first), command.input);
  return '';
}

const SSH_VALUED = new Set([
  '-B',
  '-b',
  '-c',
  '-D',
  '-E',
  '-e',
  '-F',
  '-I',
  '-i',
  '-J',
  '-L',
  '-l',
  '-m',
  '-O',
  '-o',
  '-P',
  '-p',
  '-Q',
  '-R',
  '-S',
  '-W',
  '-w',
]);

/** `ssh HOST COMMAND`: the words are one text for the shell on the other side. */
export function ssh(command: CommandFact, session: Session): string {
  const args = command.args;
  let i = 0;
  for (; i < args.length; i++) {
    const v = args[i]?.v ?? '';
    if (!v.startsWith('-')) break;
    if (v === '-o' && /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]/i.test(args[i + 1]?.v ?? '')) {
      const at = args[i + 1] ?? command.verb;
      session.text(at.v.replace(/^\w+[= ]/, ''), within(command, at), null);
    } else if (/^-o(?:ProxyCommand|LocalCommand)=/i.test(v)) {
      session.text(v.slice(v.indexOf('=') + 1), within(command, args[i] ?? command.verb), null);
    }
    if (SSH_VALUED.has(v)) i++;
  }
  const words = args.slice(i + 1);
  while (words[0]?.v.startsWith('-') === true) words.shift();
  const first = words[0];
  if (first === undefined) {
    if (command.input !== null && !hasHole(command.input))
      session.text(command.input, within(command, command.verb), null);
    return HOLE;
  }
  const scope = within(command, first);
  session.text(words.map((arg) => arg.v).join(' '), { ...scope, vars: new Map() }, command.input);
  return HOLE;
}

const CONTAINER_VALUED =
  /^(?:-[ehlmpuvw]|-c|--(?:add-host|annotation|attach|blkio-weight|cap-add|cap-drop|cgroup-parent|cidfile|cpus|cpu-shares|cpuset-cpus|device|dns|entrypoint|env|env-file|expose|gpus|group-add|hostname|index|ip|ipc|label|link|log-driver|log-opt|memory|mount|name|network|net|pid|platform|pull|publish|restart|runtime|security-opt|shm-size|stop-signal|tmpfs|ulimit|user|userns|uts|volume|volumes-from|workdir|namespace|container|context|kubeconfig|file|project-name|profile|filename))$/;

/** `docker run`, `docker exec`, `kubectl exec` and their like: null when the words start no command. */
export function container(command: CommandFact, session: Session): string | null {
  const args = command.args;
  const at = args.findIndex((arg) => /^(?:run|exec|create|compose)$/.test(arg.v));
  if (at < 0 || at > 6) return null;
  let i = at + 1;
  if (args[at]?.v === 'compose') {
    while (i < args.length && !/^(?:run|exec)$/.test(args[i]?.v ?? '')) i++;
    if (i >= args.length) return null;
    i++;
  }
  const mounts: Mount[] = [];
  let entry: Arg | undefined;
  let image: Arg | undefined;
  for (; i < args.length; i++) {
    const arg = args[i];
    if (arg === undefined) break;
    const v = arg.v;
    if (v === '--') {
      if (command.name === 'kubectl' || command.name === 'oc') {
        i++;
        break;
      }
      continue;
    }
    if (!v.startsWith('-')) {
      if (image !== undefined) break;
      image = arg;
      if (command.name !== 'kubectl' && command.name !== 'oc') {
        i++;
        break;
      }
      continue;
    }
    const equals = v.indexOf('=');
    const name = equals > 0 && v.startsWith('--') ? v.slice(0, equals) : v;
    const takes = CONTAINER_VALUED.test(v);
    const given = equals > 0 && v.startsWith('--') ? v.slice(equals + 1) : takes ? args[i + 1]?.v : v.slice(2);
    if (name === '-v' || name === '--volume' || (name.startsWith('-v') && name[1] !== '-'))
      addVolume(given ?? '', command, session, mounts);
    else if (name === '--mount') addMount(given ?? '', command, session, mounts);
    else if (name === '--entrypoint') entry = equals > 0 ? { ...arg, v: v.slice(equals + 1) } : args[i + 1];
    if (takes) i++;
  }
  const words = args.slice(i);
  if (entry !== undefined) words.unshift(entry);
  if (words.length === 0) return HOLE;
  wrapped(command, session, words, null, { mounts, vars: new Map([['PWD', ['/container']]]) });
  return HOLE;
}

function place(command: CommandFact, session: Session) {
  return { home: session.home, cwd: cwdOf(command.scope), mounts: command.scope.mounts };
}

function addVolume(v: string, command: CommandFact, session: Session, mounts: Mount[]): void {
  const [outside, inside] = v.split(':');
  if (outside === undefined || inside === undefined || !/^[/.~\uE000]/.test(outside)) return;
  mounts.push({ outside: canonical(outside, place(command, session)), inside: inside.replace(/(.)\/+$/, '$1') });
}

function addMount(v: string, command: CommandFact, session: Session, mounts: Mount[]): void {
  const fields = new Map(v.split(',').map((field) => field.split('=', 2) as [string, string]));
  const outside = fields.get('source') ?? fields.get('src');
  const inside = fields.get('target') ?? fields.get('dst') ?? fields.get('destination');
  if (outside?.startsWith('/') === true && inside !== undefined) {
    mounts.push({ outside: canonical(outside, place(command, session)), inside });
  }
}

/** `chroot DIR COMMAND`: the folder is the root of what follows. */
export function chroot(command: CommandFact, session: Session): string {
  const operands = command.args.filter((arg) => !arg.v.startsWith('-'));
  const root = operands[0];
  if (root === undefined) return '';
  const mounts: Mount[] = [{ inside: '/', outside: canonical(root.v, place(command, session)) }];
  return wrapped(
    command,
    session,
    operands.slice(1).length > 0 ? command.args.slice(command.args.indexOf(root) + 1) : [],
    null,
    { mounts },
  );
}

/** `su -c TEXT`, `script -c TEXT`, `flock FILE -c TEXT`: an option that holds a text for a shell. */
export function textOption(command: CommandFact, session: Session): string {
  const text = optionValue(command.args, ['-c', '--command', '--session-command']);
  if (text !== undefined) return session.text(text.v, within(command, text), null);
  const bundled = command.args.findIndex((arg) => /^-[a-z]+c$/.test(arg.v));
  const next = command.args[bundled + 1];
  if (bundled >= 0 && next !== undefined) return session.text(next.v, within(command, next), null);
  if (command.name === 'runuser' || command.name === 'flock') {
    const operands = command.args.filter((arg) => !arg.v.startsWith('-'));
    const start = command.args.indexOf(operands[command.name === 'flock' ? 1 : 0] ?? command.verb);
    if (start >= 0) return wrapped(command, session, command.args.slice(start), command.input);
  }
  if (command.name === 'su' && command.input !== null && !hasHole(command.input)) {
    return session.text(command.input, within(command, command.verb), null);
  }
  return HOLE;
}

/** Words that go to a shell as one text (`watch`, `at`, `hyperfine`). */
export function joined(command: CommandFact, session: Session, valued: ReadonlySet<string>): string {
  let i = 0;
  for (; i < command.args.length; i++) {
    const v = command.args[i]?.v ?? '';
    if (!v.startsWith('-')) break;
    if (valued.has(v)) i++;
  }
  const words = command.args.slice(i);
  const first = words[0];
  if (first === undefined) return HOLE;
  const scope = within(command, first);
  if (command.name === 'watch') session.text(words.map((arg) => arg.v).join(' '), scope, null);
  else for (const word of words) session.text(word.v, scope, null);
  return HOLE;
}

/** For the tree and for messages. */
export function shown(command: CommandFact): string {
  let out = command.verb.v.slice(0, 400);
  for (const arg of command.args) {
    if (out.length > 400) break;
    out += ` ${arg.v === '' || /\s/.test(arg.v) ? `'${arg.v}'` : arg.v}`;
  }
  for (const r of command.redirects) out += ` ${r.op}${r.target.v}`;
  return readable(out.length > 400 ? `${out.slice(0, 400)}…` : out);
}
