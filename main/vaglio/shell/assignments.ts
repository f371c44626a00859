import { secretAt } from './places.ts';
import { secretPath } from './rules/secrets.ts';
import { looksLikeCommand } from './shape.ts';
import { placeOf } from './targets.ts';
import type { CommandFact, Scope, Session, Span } from './types.ts';

/** Variables whose value other programs run. */
const RUN_BY_OTHERS =
  /(?:COMMAND|PAGER|EDITOR|VISUAL|LESSOPEN|LESSCLOSE|ASKPASS|BROWSER|_SHELL|BASH_ENV|PROXY_CMD|SSH)$/;
const MAY_BE_LISTED = /ssh|gnupg|aws|cred|passwd|shadow|sudoers|^\/(?:root|boot|sys|proc)/i;

/**
 * A variable is read by programs we cannot see into, so a listed place in it counts as reached, and a
 * command in a variable that other programs run counts as run.
 */
export function judgeAssignment(
  name: string,
  values: readonly string[],
  scope: Scope,
  at: Span,
  session: Session,
): void {
  for (const v of values) {
    if (RUN_BY_OTHERS.test(name) && looksLikeCommand(v)) {
      session.text(v.replace(/^\s*\|/, ''), { ...scope, base: scope.base ?? at, vars: new Map(scope.vars) }, null);
    }
    if (!MAY_BE_LISTED.test(v) || v.includes(' ')) continue;
    const verb = { v: name, start: at.start, end: at.end };
    const fact: CommandFact = { name: '', verb, args: [], redirects: [], input: null, scope };
    if (secretAt(placeOf(v, fact, session), session.home) === 'yes') session.hit(secretPath, scope, scope.base ?? at);
  }
}
