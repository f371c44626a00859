import type { Arg } from './types.ts';

/** Tests that still leave everything in a tree. */
const NO_FILTER =
  /^-(?:maxdepth|mindepth|depth|xdev|mount|follow|delete|print0?|ls|fls|fprint0?|fprintf|printf|exec|execdir|ok|okdir|true|noleaf|ignore_readdir_race|warn|nowarn|d|o|a|or|and|quit)$/;

/** Where `find` starts, and whether a test keeps it from taking everything. */
export function findRoots(args: readonly Arg[], verb: Arg): { roots: Arg[]; filtered: boolean } {
  const roots: Arg[] = [];
  let i = 0;
  while (i < args.length && /^-(?:[HLPEXdsx]+|O\d?|D)$/.test(args[i]?.v ?? '')) i++;
  for (; i < args.length; i++) {
    const arg = args[i];
    if (arg === undefined || /^[-(!,)]/.test(arg.v)) break;
    roots.push(arg);
  }
  if (roots.length === 0) roots.push({ v: '.', start: verb.start, end: verb.end });
  let filtered = false;
  for (; i < args.length; i++) {
    const v = args[i]?.v ?? '';
    const value = args[i + 1]?.v ?? '';
    if (/^-(?:exec|execdir|ok|okdir)$/.test(v)) {
      while (i < args.length && args[i]?.v !== ';' && args[i]?.v !== '+') i++;
      continue;
    }
    if (v === '-type' || v === '-xtype') i++;
    else if ((v === '!' || v === '-not') && value.startsWith('-')) i += 2;
    else if (/^-i?name$/.test(v) && /^(?:\*|\*\.\*|\.\*|\?\*)$/.test(value)) i++;
    else if (/^-i?(?:path|wholename|regex)$/.test(v) && /^\.?\*$/.test(value)) i++;
    else if (/^-(?:maxdepth|mindepth|fls|fprint0?)$/.test(v)) i++;
    else if (v === '-fprintf') i += 2;
    else if (v.startsWith('-') && !NO_FILTER.test(v)) filtered = true;
    else if (v === '!' || v === '(') filtered = true;
  }
  return { roots, filtered };
}
