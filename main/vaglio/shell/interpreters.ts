import { literals, plainText, purposeOf } from './code.ts';
import { programs } from './languages.ts';
import { within } from './launchers.ts';
import { readings } from './paths.ts';
import { isDisk, lossAt, secretAt } from './places.ts';
import { deletionRules } from './rules/deletion.ts';
import { codeDecoded, codeNetwork } from './rules/origin.ts';
import { secretRules } from './rules/secrets.ts';
import { CODED_HOLE, hasHole, NET_HOLE } from './symbols.ts';
import { pathParts, placeOf } from './targets.ts';
import type { Arg, CommandFact, Rule, Session } from './types.ts';

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

const HOME_VALUE =
  'require\\([\'"](?:node:)?os[\'"]\\)\\.homedir\\(\\)|os\\.homedir\\(\\)|os\\.path\\.expanduser\\([\'"]~[\'"]\\)|os\\.environ\\[[\'"]HOME[\'"]\\]|os\\.getenv\\([\'"]HOME[\'"]\\)|(?:pathlib\\.)?Path\\.home\\(\\)|process\\.env\\.HOME|ENV\\[[\'"]HOME[\'"]\\]|Dir\\.home';
const HOME_REMOVED = new RegExp(
  `\\b(?:rmtree|rmsync|rm_rf|rm_r|rimraf|remove_tree|removeall|removesync|rmdirsync|rm)\\s*\\(\\s*(?:${HOME_VALUE})\\s*[,)]`,
  'i',
);

const RULE = new Map<string, Rule>([...deletionRules, ...secretRules].map((rule) => [rule.id, rule]));

function hitById(id: string, at: Arg, c: CommandFact, s: Session): void {
  const rule = RULE.get(id);
  if (rule !== undefined) s.hit(rule, c.scope, within(c, at).base);
}

/** Judges what a program does with the texts in it, as far as its calls tell. */
export function readProgram(code: string, at: Arg, c: CommandFact, s: Session): void {
  if (hasHole(code) && code.length < 4) return;
  shellLines(code, at, c, s);
  if (HOME_REMOVED.test(code)) hitById('delete.home', at, c, s);
  for (const match of code.matchAll(BARE_FILE)) secretLiteral(match[1] ?? '', at, c, s);
  if (/^(?:expect|tclsh|wish)/.test(c.name)) {
    for (const match of code.matchAll(TCL_RUN)) s.text(match[1] ?? '', within(c, at), null);
  }
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

/** A path without quotes, as Tcl, TeX and the editors take it. */
const BARE_FILE = /(?:^|[[\s;:{(\\])(?:open|read|source|load|input|include|file|r|w)[\s{]+([/~][^\s;\]})]+)/gi;
const TCL_RUN = /(?:^|[[;\n])\s*(?:spawn|exec|system)\s+([^\];\n]+)/g;

const SHELL_LINE = /(?:^|[;\n:])\s*(?:sil(?:ent)?!?\s+)?(?:!|\.?shell\s|system\s+(?!["'(]))\s*([^\n]+)/g;
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
