import type { StructuralRuleId } from '../../../../shared/domain/structural-rules.ts';
import { findRoots } from '../find.ts';
import { hasLong, type Options, sortWords } from '../options.ts';
import { inSystemTree, isTemporary, type Loss, lossAt } from '../places.ts';
import { hasHole, isGlob, isSymbolic } from '../symbols.ts';
import { placeOf } from '../targets.ts';
import type { Arg, CommandFact, Rule, Session } from '../types.ts';

const RM = [
  'rm',
  'grm',
  'srm',
  'rimraf',
  'del',
  'rd',
  'trash-rm',
  'unlink',
  'rmdir',
  'secure-delete',
  'wipe',
  'deltree',
  'remove-item',
  'erase',
] as const;

function descends(c: CommandFact, o: Options): boolean {
  if (c.args.some((arg) => /^\/s$/i.test(arg.v))) return true;
  if (c.name === 'rimraf' || c.name === 'deltree' || c.name === 'rd') return true;
  if (/[rR]/.test(o.letters) || hasLong(o, 'recursive')) return true;
  // An unknown word may be the option.
  return c.args.some((arg) => hasHole(arg.v) && !arg.v.includes('/'));
}

/** What a deletion reaches: words, and whether whole trees go. */
function doomed(c: CommandFact): { targets: readonly Arg[]; trees: boolean } {
  if (c.name === 'find' || c.name === 'gfind') {
    if (!c.args.some((arg) => arg.v === '-delete')) return { targets: [], trees: false };
    const { roots, filtered } = findRoots(c.args, c.verb);
    return { targets: filtered ? [] : roots, trees: true };
  }
  const o = sortWords(c.args);
  if (c.name === 'mv' || c.name === 'gmv') {
    const into = c.args.find((arg) => /^(?:-t|--target-directory)$/.test(arg.v));
    return { targets: into === undefined ? o.operands.slice(0, -1) : o.operands, trees: true };
  }
  if (c.name === 'rsync') {
    // An empty source with --delete empties the other side.
    return { targets: o.long.some((l) => l.startsWith('delete')) ? o.operands.slice(-1) : [], trees: true };
  }
  return { targets: o.operands, trees: c.name.startsWith('trash') || descends(c, o) };
}

function losing(wanted: Loss): (c: CommandFact, s: Session) => Arg | boolean {
  return (c, s) => {
    const { targets, trees } = doomed(c);
    for (const arg of targets) {
      if (!trees && !isGlob(arg.v)) continue;
      if (wanted === 'root' && /^[a-z]:[\\/]*[*\uE003]?$/i.test(arg.v)) return arg;
      if (lossAt(placeOf(arg.v, c, s), s.home) === wanted) return arg;
    }
    return false;
  };
}

const DELETERS = [...RM, 'find', 'gfind', 'mv', 'gmv', 'rsync', 'shred', 'gshred', 'trash', 'trash-put'];

function lossRule(id: StructuralRuleId, loss: Loss, protects: string, harm: Rule['harm']): Rule {
  return {
    id,
    answer: 'block',
    protects,
    harm,
    needs: ['verb', 'flags', 'targets'],
    tools: DELETERS,
    when: losing(loss),
  };
}

/** `rm` that stays inside one folder and names plain files is everyday work. */
function plainFiles(c: CommandFact, o: Options, s: Session): boolean {
  if (c.scope.via.some((w) => w === 'xargs' || w === 'find' || w === 'parallel' || w === 'ssh')) return false;
  return o.operands.every((arg) => {
    if (isSymbolic(arg.v)) return false;
    return isTemporary(placeOf(arg.v, c, s)) || !/^\/|(?:^|\/)\.\.(?:\/|$)|^\.\/?$/.test(arg.v);
  });
}

export const deletionRules: readonly Rule[] = [
  lossRule('delete.root', 'root', 'the whole system', 'system-loss'),
  lossRule('delete.home', 'home', 'a home folder', 'home-loss'),
  lossRule('delete.system', 'system', 'the folders the system lives in', 'system-loss'),
  lossRule('delete.personal', 'personal', 'documents, pictures and settings of a person', 'home-loss'),
  {
    id: 'delete.disguised',
    answer: 'block',
    protects: 'the folders the system lives in',
    harm: 'system-loss',
    needs: ['verb', 'flags', 'targets'],
    tools: DELETERS,
    when: (c, s) => {
      const { targets, trees } = doomed(c);
      if (!trees) return false;
      return (
        targets.find(
          (arg) => /^\/(?:var\/)?tmp\/(?:.*\/)?\.\.(?:\/|$)/.test(arg.v) && inSystemTree(`${placeOf(arg.v, c, s)}/`),
        ) ?? false
      );
    },
  },
  {
    id: 'delete.tree',
    answer: 'mark',
    protects: 'files that no bin keeps',
    harm: 'deletion',
    needs: ['verb', 'flags', 'targets'],
    tools: RM.filter((name) => name !== 'rmdir'),
    when: (c, s) => {
      const o = sortWords(c.args);
      if (o.operands.length === 0 || hasLong(o, 'help', 4)) return false;
      return descends(c, o) || !plainFiles(c, o, s);
    },
  },
  {
    id: 'delete.found',
    answer: 'mark',
    protects: 'files that a search happens to find',
    harm: 'deletion',
    needs: ['verb', 'flags'],
    tools: ['find', 'gfind', 'fd', 'fdfind'],
    when: (c) => c.args.find((arg, i) => arg.v === '-delete' && !/^-i?name$/.test(c.args[i - 1]?.v ?? '')) ?? false,
  },
  {
    id: 'delete.overwrite',
    answer: 'mark',
    protects: 'the contents of files',
    harm: 'deletion',
    needs: ['verb', 'targets'],
    tools: [
      'shred',
      'gshred',
      'srm',
      'scrub',
      'truncate',
      'gtruncate',
      'wipe',
      'trash-empty',
      'sfill',
      'sswap',
      'smem',
      'sdelete',
      'bcwipe',
      'nwipe',
    ],
    when: (c) => {
      const o = sortWords(c.args);
      if (hasLong(o, 'help', 4) || hasLong(o, 'version', 4) || /^h$/.test(o.letters)) return false;
      if (c.name.endsWith('truncate'))
        return (
          o.operands.length > 0 &&
          /^-s|^--size/.test(c.args[0]?.v ?? '') &&
          !/\+/.test(c.args.map((a) => a.v).join(' '))
        );
      return c.name === 'trash-empty' || o.operands.length > 0;
    },
  },
  {
    id: 'delete.into-nothing',
    answer: 'mark',
    protects: 'files that are moved onto a device or away',
    harm: 'deletion',
    needs: ['verb', 'targets'],
    tools: ['mv', 'gmv'],
    when: (c) => c.args.find((arg) => arg.v === '/dev/null') ?? false,
  },
];
