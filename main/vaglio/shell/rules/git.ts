import { hasLong, type Options, sortWords } from '../options.ts';
import type { Arg, CommandFact, Rule } from '../types.ts';

const GLOBAL_VALUED = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--super-prefix',
  '--config-env',
]);

/** The subcommand and what follows it. */
export function gitParts(args: readonly Arg[]): { sub: Arg; rest: readonly Arg[] } | null {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === undefined) return null;
    if (arg.v.startsWith('-')) {
      if (GLOBAL_VALUED.has(arg.v)) i++;
      continue;
    }
    return { sub: arg, rest: args.slice(i + 1) };
  }
  return null;
}

const has = (o: Options, letters: string): boolean => [...letters].some((l) => o.letters.includes(l));
const any = (o: Options, ...names: string[]): boolean => names.some((name) => hasLong(o, name, 4));

function worktree(sub: string, rest: readonly Arg[]): boolean {
  const o = sortWords(rest, new Set(['-s', '--source', '-b', '-B', '-c', '-C', '--orphan', '-e', '--exclude']));
  const dashes = rest.findIndex((arg) => arg.v === '--');
  switch (sub) {
    case 'reset':
      return any(o, 'hard', 'merge', 'keep');
    case 'clean':
      return !has(o, 'n') && !any(o, 'dry-run') && (has(o, 'f') || any(o, 'force') || has(o, 'xXi'));
    case 'checkout':
      if (has(o, 'B')) return true;
      if (rest.some((arg) => /^-[bt]|^--(?:track|orphan|detach)/.test(arg.v))) return has(o, 'f') || any(o, 'force');
      if (has(o, 'fp') || any(o, 'force', 'ours', 'theirs', 'pathspec-from-file')) return true;
      if (dashes >= 0) return dashes < rest.length - 1;
      return o.operands.length > 1 || o.operands.some((arg) => /^\.{1,2}$|^\.?\/|\/$|\*|\uE003|^:/.test(arg.v));
    case 'switch':
      return has(o, 'fC') || hasLong(o, 'force', 2) || any(o, 'discard-changes', 'force-create');
    case 'restore': {
      const staged = has(o, 'S') || any(o, 'staged');
      return (!staged || has(o, 'W') || any(o, 'worktree')) && !any(o, 'help');
    }
    case 'checkout-index':
      return has(o, 'f') || any(o, 'force');
    case 'read-tree':
      return any(o, 'reset') && has(o, 'u');
    case 'rm':
      return !any(o, 'cached', 'dry-run') && !has(o, 'n') && o.operands.length > 0;
    case 'worktree':
      return o.operands[0]?.v === 'remove';
    case 'submodule':
      return o.operands[0]?.v === 'deinit';
    default:
      return false;
  }
}

function history(sub: string, rest: readonly Arg[]): boolean {
  const o = sortWords(rest);
  const first = o.operands[0]?.v ?? '';
  switch (sub) {
    case 'push':
      if (any(o, 'dry-run') || has(o, 'n')) return false;
      return (
        has(o, 'fd') ||
        o.long.some((l) => /^(?:force|mirror|delete|prune|force-with-lease|force-if-includes)/.test(l)) ||
        o.operands.some((arg) => /^[+:]./.test(arg.v))
      );
    case 'branch':
      return (
        has(o, 'DMC') ||
        ((has(o, 'd') || any(o, 'delete', 'move')) && (has(o, 'f') || any(o, 'force'))) ||
        has(o, 'f') ||
        any(o, 'force')
      );
    case 'tag':
      return has(o, 'df') || any(o, 'delete', 'force');
    case 'stash':
      return first === 'drop' || first === 'clear';
    case 'reflog':
      return first === 'expire' || first === 'delete';
    case 'gc':
      return o.long.includes('aggressive') || rest.some((arg) => /^--prune(?:=(?:now|all))?$/.test(arg.v));
    case 'prune':
      return !has(o, 'n') && !any(o, 'dry-run');
    case 'filter-branch':
    case 'filter-repo':
      return !any(o, 'analyze', 'help');
    case 'update-ref':
      return has(o, 'd');
    case 'symbolic-ref':
      return has(o, 'd') || any(o, 'delete');
    case 'remote':
      return (first === 'remove' || first === 'rm' || first === 'prune') && !any(o, 'dry-run') && !has(o, 'n');
    case 'notes':
      return first === 'remove' || first === 'prune';
    case 'lfs':
      return first === 'prune' || (first === 'migrate' && o.operands[1]?.v === 'import');
    case 'replace':
      return has(o, 'd') || any(o, 'delete');
    case 'rebase':
      return any(o, 'root') || has(o, 'i') || any(o, 'interactive');
    default:
      return false;
  }
}

export const gitRules: readonly Rule[] = [
  {
    id: 'git.discard',
    answer: 'mark',
    protects: 'work that is not committed',
    harm: 'history-loss',
    needs: ['verb', 'flags'],
    tools: ['git', 'yadm'],
    when: (c) => {
      const parts = gitParts(c.args);
      return parts !== null && worktree(parts.sub.v, parts.rest) ? parts.sub : false;
    },
  },
  {
    id: 'git.history',
    answer: 'mark',
    protects: 'commits, branches and what others have fetched',
    harm: 'history-loss',
    needs: ['verb', 'flags'],
    tools: ['git', 'yadm'],
    when: (c) => {
      const parts = gitParts(c.args);
      return parts !== null && history(parts.sub.v, parts.rest) ? parts.sub : false;
    },
  },
  {
    id: 'vcs.discard',
    answer: 'mark',
    protects: 'work in other version systems',
    harm: 'history-loss',
    needs: ['verb', 'flags'],
    tools: ['hg', 'svn', 'jj', 'fossil', 'bzr', 'p4', 'darcs', 'cvs'],
    when: (c: CommandFact) => {
      const words = sortWords(c.args);
      const sub = words.operands[0]?.v ?? '';
      if (c.name === 'hg')
        return (
          /^(?:strip|purge|rollback)$/.test(sub) ||
          ((sub === 'update' || sub === 'up') && has(words, 'C')) ||
          (sub === 'revert' && any(words, 'all'))
        );
      if (c.name === 'svn')
        return (
          /^(?:revert|delete|del|rm|remove)$/.test(sub) ||
          (sub === 'cleanup' && words.long.some((l) => l.startsWith('remove')))
        );
      return /^(?:abandon|obliterate|purge|clean|shun|scrub)$/.test(sub);
    },
  },
];
