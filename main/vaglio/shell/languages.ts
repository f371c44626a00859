import type { Arg, CommandFact } from './types.ts';

/** Options that hold a program, by interpreter. */
const CODE_OPTION: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
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
    wish: /^$/,
    jjs: /^$/,
    ghci: /^$/,
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

    gdb: /^-e?x$/,
    vim: /^(?:-[a-zA-Z]*c|--cmd)$/,
    nvim: /^(?:-[a-zA-Z]*c|--cmd)$/,
    vi: /^-[a-z]*c$/,
    ex: /^-[a-z]*c$/,
    emacs: /^(?:--eval|-eval)$/,
    expect: /^-c$/,
    sage: /^-c$/,
    maxima: /^$/,
    gnuplot: /^-e$/,
    rails: /^runner$/,
  }),
);
const FIRST_OPERAND: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk']);

function canon(name: string): string {
  // Only a version at the end makes a name longer than the one in the table.
  if (CODE_OPTION.has(name) || FIRST_OPERAND.has(name) || !/[\d.]/.test(name)) return name;
  return name.replace(/(?<=[a-z])[\d.]+(?:-\w+)?$/, '');
}

export function isInterpreter(name: string): boolean {
  return FIRST_OPERAND.has(name) || CODE_OPTION.has(canon(name));
}

/** The programs in a command's words and input. */
export function programs(c: CommandFact): Arg[] {
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
  const option = CODE_OPTION.get(canon(c.name));
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
