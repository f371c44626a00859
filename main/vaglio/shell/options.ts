import type { Arg } from './types.ts';

/** A command's words sorted into options and operands. */
export interface Options {
  /** Letters of the short options, as typed. */
  readonly letters: string;
  /** Long options without the dashes and without a value. */
  readonly long: readonly string[];
  readonly operands: readonly Arg[];
}

/**
 * Sorts words as GNU getopt does: options anywhere, `--` ends them.
 * @param valued short letters and long names (`-C`, `--git-dir`) whose value is the next word.
 */
export function sortWords(args: readonly Arg[], valued: ReadonlySet<string> | null = null): Options {
  let letters = '';
  const long: string[] = [];
  const operands: Arg[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === undefined) continue;
    const v = arg.v;
    if (v === '--') {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (v.length < 2 || v[0] !== '-') {
      operands.push(arg);
      continue;
    }
    if (v[1] === '-') {
      const equals = v.indexOf('=');
      long.push(v.slice(2, equals < 0 ? undefined : equals));
    } else letters += valued?.has(v.slice(0, 2)) === true ? v[1] : v.slice(1);
    if (valued?.has(v) === true) i++;
  }
  return { letters, long, operands };
}

/** Is a long option there, also shortened (`--recurs`)? */
export function hasLong(o: Options, name: string, shortest = 3): boolean {
  return o.long.some((given) => given === name || (given.length >= shortest && name.startsWith(given)));
}

/** The value of an option, `-o V`, `-oV`, `--out V` or `--out=V`; undefined when it is not there. */
export function optionValue(args: readonly Arg[], names: readonly string[]): Arg | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === undefined) continue;
    if (arg.v === '--') return undefined;
    for (const name of names) {
      if (arg.v === name) return args[i + 1];
      if (name.startsWith('--') && arg.v.startsWith(`${name}=`)) return { ...arg, v: arg.v.slice(name.length + 1) };
      if (name.length === 2 && name[1] !== '-' && arg.v.startsWith(name) && arg.v.length > 2 && arg.v[1] !== '-') {
        return { ...arg, v: arg.v.slice(2) };
      }
    }
  }
  return undefined;
}
