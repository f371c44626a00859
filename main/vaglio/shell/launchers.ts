import { findRoots } from './find.ts';
import { wrapped } from './follow.ts';
import { HOLE, isSymbolic, readable, STAR } from './symbols.ts';
import type { Arg, CommandFact, Scope, Session } from './types.ts';
import { nameOf } from './walk.ts';

/** Most items that a list on standard input is followed for. */
const MOST_ITEMS = 64;

const SPAN_OF = (arg: Arg): { start: number; end: number } => ({ start: arg.start, end: arg.end });

/** A scope for a text that stands in one word: everything in it points at that word. */
export function within(command: CommandFact, at: Arg, change: Partial<Scope> = {}): Scope {
  return {
    ...command.scope,
    base: command.scope.base ?? SPAN_OF(at),
    via: [...command.scope.via, command.name],
    ...change,
  };
}

function unknown(at: Arg): Arg {
  return { v: HOLE, start: at.start, end: at.end };
}

const XARGS_VALUED = new Set([
  '-n',
  '-P',
  '-L',
  '-s',
  '-E',
  '-a',
  '-d',
  '-R',
  '-S',
  '--max-args',
  '--max-procs',
  '--max-lines',
  '--arg-file',
  '--delimiter',
  '--replace',
  '--max-chars',
]);

/** `xargs`: the command gets the words of its input. */
export function xargs(command: CommandFact, session: Session): string {
  const args = command.args;
  let replace: string | null = null;
  let i = 0;
  let file = false;
  let listed = HOLE;
  for (; i < args.length; i++) {
    const v = args[i]?.v ?? '';
    if (!v.startsWith('-') || v === '-') break;
    if (v === '--') {
      i++;
      break;
    }
    if (v === '-I' || v === '-J') replace = args[++i]?.v ?? '{}';
    else if (v.startsWith('-I') || v.startsWith('-J')) replace = v.slice(2);
    else if (v === '-i' || v === '--replace') replace = '{}';
    else if (v.startsWith('-i')) replace = v.slice(2);
    else if (v.startsWith('--replace=')) replace = v.slice(10);
    else if (XARGS_VALUED.has(v)) i++;
    if (/^(?:-a|--arg-file)/.test(v)) {
      file = true;
      listed = args[i]?.produced ?? listed;
    }
  }
  const words = args.slice(i);
  if (words.length === 0) return '';
  const at = words[0] ?? command.verb;
  const input = file ? listed : (command.input ?? HOLE);
  const items = splitItems(input, replace !== null);
  return eachItem(command, session, words, replace, items, at);
}

function splitItems(input: string, lines: boolean): string[] {
  const all = input.split(lines ? /[\n\0]+/ : /[\s\0]+/).filter((item) => item !== '');
  return all.length > MOST_ITEMS ? [...all.slice(0, MOST_ITEMS), HOLE] : all;
}

function eachItem(
  c: CommandFact,
  s: Session,
  words: readonly Arg[],
  replace: string | null,
  items: string[],
  at: Arg,
): string {
  if (replace === null || !words.some((w) => w.v.includes(replace))) {
    const added = items.map((v) => ({ ...unknown(at), v }));
    return wrapped(c, s, [...words, ...added], null);
  }
  let out = '';
  for (const item of items) {
    out += wrapped(
      c,
      s,
      words.map((w) => (w.v.includes(replace) ? { ...w, v: w.v.split(replace).join(item) } : w)),
      null,
    );
  }
  return out;
}

const PARALLEL_VALUED = new Set([
  '-j',
  '-S',
  '-a',
  '-n',
  '-N',
  '-I',
  '-P',
  '--jobs',
  '--sshlogin',
  '--results',
  '--joblog',
  '--delay',
  '--timeout',
  '--colsep',
  '-C',
  '--arg-file',
  '--tmpdir',
  '--workdir',
  '--wd',
  '--retries',
  '--load',
  '--memfree',
  '-L',
  '-d',
  '--basefile',
  '--bf',
  '--trc',
  '--return',
  '--env',
  '--nice',
  '--halt',
  '--block',
  '--recstart',
  '--recend',
  '--tagstring',
  '--tempdir',
  '--compress-program',
]);

/** GNU parallel: words are joined and given to a shell, once for each argument after `:::` or line of input. */
export function parallel(command: CommandFact, session: Session): string {
  const args = command.args;
  let i = 0;
  for (; i < args.length; i++) {
    const v = args[i]?.v ?? '';
    if (!v.startsWith('-') || v === '-') break;
    if (PARALLEL_VALUED.has(v)) i++;
  }
  const rest = args.slice(i);
  const colons = rest.findIndex((arg) => /^:::\+?$|^::::\+?$/.test(arg.v));
  const words = colons < 0 ? rest : rest.slice(0, colons);
  const lists: string[][] = [];
  if (colons >= 0) {
    let list: string[] = [];
    for (const arg of rest.slice(colons)) {
      if (/^::::?\+?$/.test(arg.v)) {
        list = arg.v.startsWith('::::') ? [HOLE] : [];
        lists.push(list);
      } else if (list[0] !== HOLE) list.push(arg.v);
    }
  } else {
    const input = command.input ?? HOLE;
    lists.push(splitItems(input, true));
  }
  const at = words[0] ?? rest[0] ?? command.verb;
  const rounds = Math.min(8, Math.max(1, ...lists.map((list) => list.length)));
  const scope = within(command, at);
  for (let n = 0; n < rounds; n++) {
    const items = lists.map((list) => list[n % Math.max(1, list.length)] ?? HOLE);
    if (words.length === 0) {
      session.text(items[0] ?? '', scope, null);
      continue;
    }
    const fill = (text: string): string =>
      text
        .replace(/\{(\d+)\}/g, (_, k: string) => items[Number(k) - 1] ?? HOLE)
        .replace(/\{[./#%]*\}/g, items[0] ?? HOLE);
    const placed = words.some((w) => /\{[\d./#%]*\}/.test(w.v));
    const full = words.map((w) => ({ ...w, v: fill(w.v) }));
    if (!placed) full.push(...items.map((v) => ({ ...unknown(at), v })));
    wrapped(command, session, full, null);
    session.text(full.map((w) => w.v).join(' '), scope, null);
  }
  return HOLE;
}

/** `find`: its actions run on what it finds. */
export function find(command: CommandFact, session: Session): string {
  const args = command.args;
  const { roots, filtered } = findRoots(args, command.verb);
  for (let i = 0; i < args.length; i++) {
    const v = args[i]?.v ?? '';
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(v)) continue;
    let end = i + 1;
    while (end < args.length && args[end]?.v !== ';' && !(args[end]?.v === '+' && args[end - 1]?.v.includes('{}')))
      end++;
    const words = args.slice(i + 1, end);
    for (const root of roots) {
      const found = foundBy(args, [root], filtered);
      const filled = words.map((w) => (w.v.includes('{}') ? { ...w, v: w.v.split('{}').join(found) } : w));
      if (filled.length > 0) wrapped(command, session, unfiltered(filled, filtered), null);
    }
    i = end;
  }
  const found = foundBy(args, roots, filtered);
  // What lies directly below goes along with an unfiltered root.
  return filtered ? found : `${found}\n${roots.map((root) => `${root.v.replace(/\/$/, '')}/${STAR}`).join('\n')}`;
}

/** What the search prints: the roots themselves when it takes all, else something below them. */
function foundBy(args: readonly Arg[], roots: readonly Arg[], filtered: boolean): string {
  const names = args.filter((_, i) => /^-i?name$/.test(args[i - 1]?.v ?? ''));
  const name = names.length === 1 && names[0] !== undefined && !isSymbolic(names[0].v) ? names[0].v : HOLE;
  return roots.map((root) => (filtered ? below(root.v, name) : root.v)).join('\n');
}

function below(root: string, name: string): string {
  return `${root === '/' ? '' : root}/${name === HOLE ? HOLE : `${HOLE}/${name}`}`;
}

/** `find DIR -exec rm {} +` reaches everything below, though `rm` was not told to descend. */
function unfiltered(words: Arg[], filtered: boolean): Arg[] {
  const first = words[0];
  if (filtered || first === undefined || !/^(?:rm|shred|srm)$/.test(nameOf(first.v))) return words;
  return [first, { v: '-r', start: first.start, end: first.end }, ...words.slice(1)];
}

/** `fd PATTERN DIR -x CMD`: like `find -exec`, with `{}` or the path at the end. */
export function fd(command: CommandFact, session: Session): string {
  const at = command.args.findIndex((arg) => /^(?:-[xX]|--exec|--exec-batch)$/.test(arg.v));
  if (at < 0) return HOLE;
  const [pattern, root] = command.args.slice(0, at).filter((arg) => !arg.v.startsWith('-'));
  const all = pattern === undefined || /^(?:\.?\*?|\^|\$|\.\*)$/.test(readable(pattern.v));
  const found = all ? (root?.v ?? '.') : below(root?.v ?? '.', HOLE);
  const words = command.args.slice(at + 1).filter((arg) => arg.v !== ';');
  if (words.length > 0) eachItem(command, session, words, '{}', [found], words[0] ?? command.verb);
  return HOLE;
}
