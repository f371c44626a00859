import { literals, plainText, purposeOf } from './code.ts';
import { within } from './launchers.ts';
import { readings } from './paths.ts';
import { isDisk, lossAt, secretAt } from './places.ts';
import { deletionRules } from './rules/deletion.ts';
import { codeDecoded, codeNetwork } from './rules/origin.ts';
import { secretRules } from './rules/secrets.ts';
import { CODED_HOLE, hasHole, NET_HOLE } from './symbols.ts';
import { pathParts, placeOf } from './targets.ts';
import type { Arg, CommandFact, Rule, Session } from './types.ts';

/** Options that hold a program, by interpreter. */
const CODE_OPTION: Readonly<Record<string, RegExp>> = {
  python: /^-[a-zA-Z]*c$/,
  perl: /^-[a-zA-Z0-9]*[eE]$/,
  ruby: /^-[a-zA-Z]*e$/,
  node: /^(?:-[a-z]*[ep]|--eval|--print)$/,
  nodejs: /^(?:-[a-z]*[ep]|--eval|--print)$/,
  bun: /^(?:-e|--eval|-p|--print)$/,
  deno: /^(?:eval)$/,
  php: /^(?:-[rBRE]|--run)$/,
  lua: /^-e$/,
  luajit: /^-e$/,
  julia: /^(?:-[eE]|--eval|--print)$/,
  octave: /^--eval$/,
  'octave-cli': /^--eval$/,
  r: /^-e$/,
  rscript: /^-e$/,
  osascript: /^-e$/,
  pwsh: /^-(?:c|command)$/i,
  powershell: /^-(?:c|command)$/i,
  elixir: /^-e$/,
  groovy: /^-e$/,
  scala: /^-e$/,
  ghc: /^-e$/,
  tclsh: /^$/,
  pypy: /^-c$/,
  ipython: /^-c$/,
  'ts-node': /^(?:-e|--eval|-p)$/,
  tsx: /^(?:-e|--eval)$/,
  guile: /^-c$/,
  clisp: /^-x$/,
  sbcl: /^--eval$/,
  racket: /^-e$/,
  raku: /^-e$/,
  crystal: /^eval$/,
  nim: /^--eval$/,
  swift: /^-e$/,
  erl: /^-eval$/,
  janet: /^-e$/,
  babashka: /^-e$/,
  bb: /^-e$/,
  irb: /^-e$/,
  jrunscript: /^-e$/,
  mysql: /^$/,
  gdb: /^-e?x$/,
  vim: /^(?:-c|--cmd)$/,
  nvim: /^(?:-c|--cmd)$/,
  vi: /^-c$/,
  ex: /^-c$/,
  emacs: /^(?:--eval|-eval)$/,
  expect: /^-c$/,
  sage: /^-c$/,
  maxima: /^$/,
  gnuplot: /^-e$/,
  rails: /^runner$/,
};
const FIRST_OPERAND: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk']);

function canon(name: string): string {
  if (FIRST_OPERAND.has(name)) return name;
  return name.replace(/(?<=[a-z])[\d.]+(?:-\w+)?$/, '');
}

export function isInterpreter(name: string): boolean {
  return FIRST_OPERAND.has(name) || CODE_OPTION[canon(name)] !== undefined;
}

/** The programs in a command's words and input. */
function programs(c: CommandFact): Arg[] {
  const out: Arg[] = [];
  if (FIRST_OPERAND.has(c.name)) {
    for (let i = 0; i < c.args.length; i++) {
      const arg = c.args[i];
      if (arg === undefined) continue;
      if (/^-[vF]$/.test(arg.v)) i++;
      else if (/^-f|^--file/.test(arg.v)) return [];
      else if (!arg.v.startsWith('-')) return [arg];
    }
    return [];
  }
  const option = CODE_OPTION[canon(c.name)];
  for (let i = 0; i < c.args.length; i++) {
    const arg = c.args[i];
    const next = c.args[i + 1];
    if (arg === undefined) continue;
    if (arg.v === '--') break;
    if (option?.test(arg.v) === true && next !== undefined) {
      out.push(next);
      i++;
    } else {
      const glued =
        /^(?:--eval|--print|--run|--command)=([\s\S]+)$/.exec(arg.v)?.[1] ??
        /^-[ce](?=[^a-z-])([\s\S]+)$/.exec(arg.v)?.[1];
      if (glued !== undefined) out.push({ ...arg, v: glued });
    }
  }
  return out;
}

/** Looks into one-line programs. False when there is none, so that the words are judged as of any program. */
export function interpreter(c: CommandFact, s: Session): boolean {
  const list = programs(c);
  const made = c.args[0]?.produced;
  if (made !== undefined) {
    if (made.includes(NET_HOLE)) s.hit(codeNetwork, c.scope, c.scope.base);
    readProgram(made, c.verb, c, s);
  }
  for (const program of list) readProgram(program.v, program, c, s);
  if (c.input !== null && list.length === 0 && !c.args.some((arg) => arg.v !== '-' && !arg.v.startsWith('-'))) {
    if (c.input.includes(NET_HOLE)) s.hit(codeNetwork, c.scope, c.scope.base);
    else if (c.input.includes(CODED_HOLE)) s.hit(codeDecoded, c.scope, c.scope.base);
    readProgram(c.input, c.verb, c, s);
    return true;
  }
  return list.length > 0;
}

const RULE = new Map<string, Rule>([...deletionRules, ...secretRules].map((rule) => [rule.id, rule]));

function hitById(id: string, at: Arg, c: CommandFact, s: Session): void {
  const rule = RULE.get(id);
  if (rule !== undefined) s.hit(rule, c.scope, within(c, at).base);
}

/** Judges what a program does with the texts in it, as far as its calls tell. */
export function readProgram(code: string, at: Arg, c: CommandFact, s: Session): void {
  if (hasHole(code) && code.length < 4) return;
  shellLines(code, at, c, s);
  const lists = new Map<number, string[]>();
  for (const literal of literals(code)) {
    const text = plainText(literal);
    const purpose = purposeOf(literal);
    if (purpose === 'run') {
      const scope = within(c, at);
      s.text(text, scope, null);
      const words = lists.get(literal.list) ?? [];
      words.push(text);
      lists.set(literal.list, words);
      if (/(?:^|\.)(?:eval|exec|function|instance_eval)$/.test(literal.call) && c.scope.depth < 8) {
        readProgram(text, at, { ...c, scope: { ...c.scope, depth: c.scope.depth + 1 } }, s);
      }
      continue;
    }
    if (purpose === 'print') continue;
    if (purpose === 'remove' && /[/~.]/.test(text)) {
      const loss = lossAt(placeOf(text, c, s), s.home);
      if (loss !== null && !/unlink|remove$/.test(literal.call.replace(/.*\./, '')))
        hitById(`delete.${loss}`, at, c, s);
      else hitById('delete.tree', at, c, s);
    }
    secretLiteral(text, at, c, s);
  }
  for (const words of lists.values()) {
    if (words.length > 1) {
      const args = words.map((v) => ({ v, start: at.start, end: at.end }));
      const verb = args[0];
      if (verb !== undefined)
        s.command({
          name: verb.v.slice(verb.v.lastIndexOf('/') + 1).toLowerCase(),
          verb,
          args: args.slice(1),
          redirects: [],
          input: null,
          scope: within(c, at),
        });
    }
  }
}

function secretLiteral(text: string, at: Arg, c: CommandFact, s: Session): void {
  if (text.length > 1024 || text.includes('\n')) return;
  for (const part of pathParts(text.replace(/^[<>|+ ]+/, ''))) {
    for (const path of readings(placeOf(part, c, s))) {
      if (secretAt(path, s.home) === 'yes') hitById('secret.path', at, c, s);
      else if (isDisk(path)) hitById('secret.raw-disk', at, c, s);
    }
  }
}

const SHELL_LINE = /(?:^|[;\n:])\s*(?:!|\.?shell\s|system\s+(?!["'(]))\s*([^\n]+)/g;
const REMOVE_ITEM = /\b(?:remove-item|rm|del|rmdir|rd|ri)\b[^;|\n]*(?:-recurse|-r\b|-force)[^;|\n]*/gi;

/** `:!rm -rf /` of editors, `.shell` of databases, `Remove-Item -Recurse` of PowerShell. */
function shellLines(code: string, at: Arg, c: CommandFact, s: Session): void {
  if (/vim?$|^ex$|^gdb$|^mysql$|^gnuplot$|sqlite/.test(c.name)) {
    for (const match of code.matchAll(SHELL_LINE)) s.text(match[1] ?? '', within(c, at), null);
    for (const word of code.split(/\s+/)) secretLiteral(word, at, c, s);
  }
  if (/^(?:pwsh|powershell)$/.test(c.name)) {
    s.text(code, within(c, at), null);
    for (const match of code.matchAll(REMOVE_ITEM)) {
      for (const word of match[0].split(/[\s,]+/).slice(1)) {
        const loss = word.startsWith('-')
          ? null
          : lossAt(placeOf(word.replace(/["']/g, '').replace(/^\$HOME|^\$env:USERPROFILE/i, s.home), c, s), s.home);
        if (loss !== null) hitById(`delete.${loss}`, at, c, s);
      }
      hitById('delete.tree', at, c, s);
    }
  }
}
