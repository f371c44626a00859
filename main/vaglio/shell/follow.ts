import type { Arg, CommandFact, Scope, Session } from './types.ts';
import { nameOf } from './walk.ts';

/** Runs the words of a wrapper as a command of their own. */
export function wrapped(
  outer: CommandFact,
  session: Session,
  words: readonly Arg[],
  input: string | null,
  change: Partial<Scope> = {},
): string {
  const verb = words[0];
  if (verb === undefined) return '';
  return session.command({
    name: nameOf(verb.v),
    verb,
    args: words.slice(1),
    redirects: [],
    input,
    heredoc: input !== null && input === outer.input && outer.heredoc === true,
    scope: { ...outer.scope, via: [...outer.scope.via, outer.name], ...change },
  });
}
