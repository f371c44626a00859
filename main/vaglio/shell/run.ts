import { CONTAINERS, isDataArg, TEXT_TOOLS } from './data.ts';
import { wrapped } from './follow.ts';
import { globMatches } from './glob.ts';
import { interpreter } from './interpreters.ts';
import { isInterpreter } from './languages.ts';
import { fd, find, parallel, within, xargs } from './launchers.ts';
import { outputOf } from './output.ts';
import { cwdOf } from './parameters.ts';
import { canonical } from './paths.ts';
import { isRuledTool, rulesFor } from './rules/all.ts';
import { anyWordMayBeControl } from './rules/control.ts';
import { gitParts } from './rules/git.ts';
import { codeUnknown, commandText } from './rules/origin.ts';
import { looksLikeCommand } from './shape.ts';
import { chroot, container, evaluate, joined, SHELLS, shell, shown, source, ssh, textOption } from './shells.ts';
import { HOLE, hasHole, isGlob, isSymbolic } from './symbols.ts';
import { placeOf } from './targets.ts';
import type { Arg, CommandFact, Session, TreeNode } from './types.ts';
import { nameOf, type Walker } from './walk.ts';
import { COMMAND_OPTIONS, SHELL_JOINERS, WRAPPERS, wrappedAt } from './wrappers.ts';

/** Programs that a glob in place of the verb is tried against, the worst first. */
const GUESSED = ['rm', 'dd', 'shred', 'mkfs', 'wipefs', 'mv', 'chmod', 'cat', 'sh', 'bash'];

function settle(c: CommandFact): CommandFact {
  if (isGlob(c.name)) {
    const guess = GUESSED.find((name) => globMatches(c.name, name));
    return guess === undefined ? c : { ...c, name: guess };
  }
  if (!hasHole(c.name)) return c;
  // An unknown program with the options of `rm` is taken for it.
  const like = c.args.some((arg) =>
    /^-(?:[a-zA-Z]*[rR][a-zA-Z]*f|[a-zA-Z]*f[a-zA-Z]*[rR])[a-zA-Z]*$|^--recursive$/.test(arg.v),
  );
  return like ? { ...c, name: 'rm' } : c;
}

/** Words of one command that are looked at; of more, the first and the last ones. */
const MOST_WORDS = 400;

function shortened(c: CommandFact, session: Session): CommandFact {
  session.overCap = true;
  return { ...c, args: [...c.args.slice(0, MOST_WORDS / 2), ...c.args.slice(-MOST_WORDS / 2)] };
}

/** Runs one command: shell built-ins and launchers are followed, then the rules look at it. */
export function runCommand(given: CommandFact, session: Session, walker: Walker): string {
  const c = settle(given.args.length > MOST_WORDS ? shortened(given, session) : given);
  const at = c.scope.base ?? { start: c.verb.start, end: (c.args.at(-1) ?? c.verb).end };
  const node: TreeNode = { kind: 'command', text: shown(c), span: at, rules: [], children: [] };
  c.scope.node.children.push(node);
  const inner: CommandFact = { ...c, scope: { ...c.scope, node } };
  if (hasHole(c.name) && c.name !== '' && opaque(given, session)) session.hit(codeUnknown, inner.scope, at);
  const followed = follow(inner, session, walker);
  judge(followed === null ? inner : { ...inner, args: followed.ownArgs, input: null }, session, followed === null);
  const output = followed === null ? outputOf(inner, session) : followed.output;
  if (inner.redirects.length > 0 || inner.name === 'tee') remember(inner, output, session);
  return output;
}

/** Keeps what is written to files, so that a script made and run in one line is read. */
function remember(c: CommandFact, output: string, s: Session): void {
  const targets = c.redirects.filter((r) => r.op === '>' || r.op === '>>' || r.op === '>|').map((r) => r.target);
  if (c.name === 'tee') targets.push(...c.args.filter((arg) => !arg.v.startsWith('-')));
  const { files } = c.scope.memory;
  if (files.size > 32 || output.length > 16_384) return;
  for (const target of targets) {
    const path = placeOf(target.v, c, s);
    const more = c.redirects.some((r) => r.op === '>>');
    files.set(path, (more ? (files.get(path) ?? '') : '') + output);
  }
}

/** A verb that another command's output decides; an unset variable like $EDITOR is left alone. */
function opaque(c: CommandFact, session: Session): boolean {
  return /[`]|\$\(/.test(session.sourceOf(c.verb)) && c.verb.v.replace(/[\uE000-\uE002]/g, '') === '';
}

/** Everything a command is given, for a rule's trigger. */
function givenTo(c: CommandFact): string {
  let out = c.input ?? '';
  for (const arg of c.args) out += `\n${arg.v}`;
  for (const r of c.redirects) out += `\n${r.target.v}`;
  return out;
}

function judge(c: CommandFact, session: Session, whole: boolean): void {
  const given = givenTo(c);
  // Where a link or the working folder leads, or with moved control files, any word may mean any place.
  const always = c.scope.memory.links.size > 0 || anyWordMayBeControl(c, session) || isSymbolic(given);
  for (const rule of rulesFor(c)) {
    if (!whole && rule.tools === '*' && rule.id.startsWith('service.')) continue;
    if (rule.trigger !== undefined && !always && !rule.trigger.test(given)) continue;
    const met = rule.when?.(c, session);
    if (met === undefined || met === false) continue;
    const at = met === true ? c.verb : met;
    session.hit(rule, c.scope, c.scope.base ?? { start: at.start, end: at.end });
  }
}

interface Followed {
  readonly output: string;
  /** The words that are the launcher's own. */
  readonly ownArgs: Arg[];
}

function done(output: string, ownArgs: Arg[] = []): Followed {
  return { output, ownArgs };
}

function follow(c: CommandFact, s: Session, walker: Walker): Followed | null {
  const body = c.scope.functions.get(c.name) ?? c.scope.functions.get(c.verb.v);
  if (body !== undefined) return done(walker.call(body, c));
  const alias = c.scope.aliases.get(c.verb.v);
  if (alias !== undefined && c.scope.depth < 8) {
    c.scope.aliases.delete(c.verb.v);
    const output = s.text(`${alias} ${c.args.map((arg) => arg.v).join(' ')}`, within(c, c.verb), c.input);
    c.scope.aliases.set(c.verb.v, alias);
    return done(output);
  }
  if (c.scope.memory.files.size > 0 && c.verb.v.includes('/')) {
    const written = c.scope.memory.files.get(placeOf(c.verb.v, c, s));
    if (written !== undefined) s.text(written, within(c, c.verb, { params: c.args.map((arg) => arg.v) }), c.input);
  }
  if (SHELLS.has(c.name)) return done(shell(c, s));
  const special = SPECIAL.get(c.name);
  if (special !== undefined) {
    const output = special(c, s);
    if (output !== null) return done(output, ownWords(c));
  }
  if (TEXT_TOOLS.has(c.name)) return null;
  const wrap = WRAPPERS.get(c.name);
  if (wrap !== undefined) {
    if (c.name === 'command' && /^-[vV]/.test(c.args[0]?.v ?? '')) return done(outputOf(c, s));
    if (c.name === 'env') splitString(c, s);
    const at = wrappedAt(c.name, wrap, c.args);
    if (at >= 0) return done(wrapped(c, s, c.args.slice(at), c.input, envChange(c)), c.args.slice(0, at));
    return c.name === 'exec' ? done('') : null;
  }
  if (CONTAINERS.has(c.name)) {
    container(c, s);
    return null;
  }
  const joiner = SHELL_JOINERS.get(c.name);
  if (joiner !== undefined) {
    joined(c, s, joiner);
    return done(HOLE);
  }
  if (isInterpreter(c.name) && interpreter(c, s)) return null;
  textsOf(c, s);
  return null;
}

/** All words of `find` are its own; those of `ssh` end at the host. */
function ownWords(c: CommandFact): Arg[] {
  if (c.name === 'find' || c.name === 'gfind') return c.args;
  if (c.name !== 'ssh' && c.name !== 'autossh') return [];
  const host = c.args.findIndex(
    (arg, i) => !arg.v.startsWith('-') && !/^-[bcDEeFIiJLlmOoPpQRSWw]$/.test(c.args[i - 1]?.v ?? ''),
  );
  return host < 0 ? c.args : c.args.slice(0, host);
}

/** `env -C DIR` and `sudo -D DIR` change where the command runs. */
function envChange(c: CommandFact): Partial<CommandFact['scope']> {
  const i = c.args.findIndex((arg) => arg.v === '-C' || arg.v === '--chdir' || (c.name === 'sudo' && arg.v === '-D'));
  const to = c.args[i + 1];
  const change: { vars?: Map<string, string[]> } = {};
  const assigned = c.args.filter((arg) => /^[A-Za-z_]\w*=/.test(arg.v));
  if (c.name !== 'env' && c.name !== 'sudo' && c.name !== 'doas') return change;
  if ((i >= 0 && to !== undefined) || assigned.length > 0) {
    change.vars = new Map(c.scope.vars);
    for (const arg of assigned)
      change.vars.set(arg.v.slice(0, arg.v.indexOf('=')), [arg.v.slice(arg.v.indexOf('=') + 1)]);
    if (i >= 0 && to !== undefined) change.vars.set('PWD', [to.v]);
  }
  return change;
}

/** `env -S 'rm -rf /'`. */
function splitString(c: CommandFact, s: Session): void {
  c.args.forEach((arg, i) => {
    const text = /^(?:-[a-z0]*S|--split-string)$/.test(arg.v)
      ? c.args[i + 1]?.v
      : /^-[a-z0]*S(.+)$|^--split-string=(.+)$/
          .exec(arg.v)
          ?.slice(1)
          .find((t) => t !== undefined);
    if (text !== undefined) s.text(text, within(c, arg), c.input);
  });
}

const SPECIAL: ReadonlyMap<string, (c: CommandFact, s: Session) => string | null> = new Map([
  ['xargs', xargs],
  ['gxargs', xargs],
  ['parallel', parallel],
  ['find', find],
  ['gfind', find],
  ['fd', fd],
  ['fdfind', fd],
  ['ssh', ssh],
  ['autossh', ssh],
  ['mosh', ssh],
  ['eval', evaluate],
  ['source', source],
  ['.', source],
  ['chroot', chroot],
  ['su', textOption],
  ['runuser', textOption],
  ['script', textOption],
  ['flock', textOption],
  ['sg', textOption],
  ['capsh', textOption],
  ['cd', changeFolder],
  ['pushd', changeFolder],
  ['set', setWords],
  ['read', readWords],
  ['mapfile', () => null],
  ['unset', () => null],
  ['alias', defineAlias],
  ['trap', trap],
  ['printf', printfInto],
  ['ln', link],
  ['crontab', crontab],
  ['at', fromInput],
  ['batch', fromInput],
  ['git', gitAliases],
] as const);

function changeFolder(c: CommandFact, s: Session): null {
  const to = c.args.find((arg) => !/^-[LPe@]+$/.test(arg.v) && arg.v !== '--');
  const path = to === undefined ? s.home : canonical(to.v, { home: s.home, cwd: cwdOf(c.scope), mounts: null });
  c.scope.vars.set('PWD', [to?.v === '-' || (to !== undefined && hasHole(to.v)) ? HOLE : path]);
  return null;
}

function setWords(c: CommandFact): null {
  const at = c.args.findIndex((arg) => arg.v === '--');
  if (at >= 0) c.scope.params = c.args.slice(at + 1).map((arg) => arg.v);
  else if (c.args.length > 0 && !/^[-+]/.test(c.args[0]?.v ?? '')) c.scope.params = c.args.map((arg) => arg.v);
  return null;
}

function readWords(c: CommandFact): null {
  const names = c.args.filter((arg, i) => /^[A-Za-z_]\w*$/.test(arg.v) && !/^-[dnptu]$/.test(c.args[i - 1]?.v ?? ''));
  const line = (c.input ?? HOLE).split('\n')[0] ?? '';
  const fields = hasHole(line) ? [] : line.trim().split(/\s+/);
  names.forEach((name, i) => {
    const last = i === names.length - 1;
    c.scope.vars.set(name.v, [hasHole(line) ? HOLE : last ? fields.slice(i).join(' ') : (fields[i] ?? '')]);
  });
  return null;
}

function defineAlias(c: CommandFact): null {
  for (const arg of c.args) {
    const equals = arg.v.indexOf('=');
    if (equals > 0) c.scope.aliases.set(arg.v.slice(0, equals), arg.v.slice(equals + 1));
  }
  return null;
}

function trap(c: CommandFact, s: Session): string | null {
  const first = c.args.find((arg) => arg.v !== '--');
  if (first === undefined || first.v.startsWith('-') || first.v === '') return null;
  return s.text(first.v, within(c, first), null);
}

function printfInto(c: CommandFact, s: Session): null {
  const name = c.args[0]?.v === '-v' ? c.args[1]?.v : undefined;
  if (name !== undefined) c.scope.vars.set(name, [outputOf({ ...c, args: c.args.slice(2) }, s)]);
  return null;
}

function link(c: CommandFact, s: Session): null {
  const words = c.args.filter((arg) => !arg.v.startsWith('-'));
  const [target, name] = words;
  const symbolic = c.args.some((arg) => /^-[a-z]*s|^--symbolic/.test(arg.v));
  if (!symbolic || target === undefined || words.length > 2) return null;
  const at = name?.v ?? target.v.slice(target.v.lastIndexOf('/') + 1);
  const path = placeOf(at, c, s);
  const to = placeOf(target.v, c, s);
  if (to.startsWith('/') && path !== '.' && path !== '/') c.scope.memory.links.set(path, to);
  return null;
}

/** `crontab -`: every line of its input is a command behind its times. */
function crontab(c: CommandFact, s: Session): null {
  if (c.input === null || c.args.some((arg) => /^-[ler]/.test(arg.v))) return null;
  for (const line of c.input.split('\n')) {
    const text = /^\s*(?:@\w+|(?:\S+\s+){5})\s*(.+)$/.exec(line)?.[1];
    if (text !== undefined && !line.startsWith('#')) s.text(text, within(c, c.verb), null);
  }
  return null;
}

function fromInput(c: CommandFact, s: Session): null {
  if (c.input !== null && !hasHole(c.input)) s.text(c.input, within(c, c.verb), null);
  return null;
}

/** `git -c alias.x='!cmd' x`, and the subcommands that run a command of their own. */
function gitAliases(c: CommandFact, s: Session): null {
  c.args.forEach((arg) => {
    const text =
      /^(?:alias\.[^=]+=!|(?:core\.(?:pager|editor|sshcommand|fsmonitor)|credential\.helper|diff\.external|sequence\.editor)=!?)([\s\S]+)$/i.exec(
        arg.v,
      )?.[1];
    if (text !== undefined) s.text(text, within(c, arg), null);
  });
  const parts = gitParts(c.args);
  const words = parts?.rest ?? [];
  const first = words[0]?.v;
  if (parts?.sub.v === 'bisect' && first === 'run') wrapped(c, s, words.slice(1), null);
  if (parts?.sub.v === 'submodule' && first === 'foreach') {
    const rest = words.slice(1).filter((arg) => !arg.v.startsWith('--'));
    if (rest[0] !== undefined) s.text(rest.map((arg) => arg.v).join(' '), within(c, rest[0]), null);
  }
  if (parts?.sub.v === 'rebase') textsOf(c, s);
  return null;
}

/**
 * Words of a program that is not known to run commands: an option that is usually a command is run as
 * one; another text that reads like a destructive one is only marked.
 */
function textsOf(c: CommandFact, s: Session): void {
  const dashes = c.args.findIndex((arg) => arg.v === '--');
  const after = c.args[dashes + 1];
  if (dashes >= 0 && after !== undefined && isRuledTool(nameOf(after.v)) && !isRuledTool(c.name))
    wrapped(c, s, c.args.slice(dashes + 1), null);
  for (let i = 0; i < c.args.length; i++) {
    const arg = c.args[i];
    if (arg === undefined || !arg.v.includes(' ') || !looksLikeCommand(arg.v) || isDataArg(c, i)) continue;
    const before = c.args[i - 1]?.v ?? '';
    const equals = /^(--?[\w-]+)=(?:exec=)?/.exec(arg.v);
    const option = equals?.[1] ?? before;
    let text = equals === null ? arg.v : arg.v.slice(equals[0].length);
    const bang = /^[:\\]?!\s*/.exec(text);
    if (bang !== null) text = text.slice(bang[0].length);
    // `shell rm -rf /`, `exec:...` and `system("...")` in the small languages of other tools.
    const call = /^(?:(?:system|exec|shell|os\.execute)\s*[:(]|\.(?:shell|system)\s)\s*["']?([^"']*)/i.exec(text)?.[1];
    const runs =
      bang !== null ||
      call !== undefined ||
      COMMAND_OPTIONS.has(option) ||
      REMOTE_RUNNERS.has(c.name) ||
      /^(?:exec|run|command|cmd|send-keys|new-window|new-session|split-window|stuff|shell)$/.test(before);
    if (runs) s.text(call ?? text, within(c, arg), null);
    else suspect(text, arg, c, s);
  }
}

/** Terminals and fleet tools: a text among their words is there to be run. */
const REMOTE_RUNNERS: ReadonlySet<string> = new Set(
  'tmux screen zellij salt pssh parallel-ssh pdsh dsh clush xterm urxvt konsole gnome-terminal alacritty kitty wezterm ansible fab mussh sshpass'.split(
    ' ',
  ),
);

function suspect(text: string, arg: Arg, c: CommandFact, s: Session): void {
  const before = s.findings.length;
  s.text(text, within(c, arg), null);
  const met = s.findings.splice(before);
  const weak = /^(?:service\.|secret\.m|system\.write)/;
  if (met.some((finding) => finding.rule.harm !== 'unresolved' && !weak.test(finding.rule.id)))
    s.hit(commandText, c.scope, within(c, arg).base);
}
