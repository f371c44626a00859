import {
  type Command,
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirection,
  type Function as ShellFunction,
  type Statement,
  type TestExpression,
} from 'unbash';
import { forksItself, hasSyntaxDanger } from './shape.ts';
import { HOLE, withoutSymbols } from './symbols.ts';
import type { Arg, CommandFact, RedirectFact, Scope, Session, Span } from './types.ts';
import { hereText, resolve, value, visitArithmetic } from './words.ts';

/** Commands of one judgement; beyond it nothing is followed and the answer is at least a mark. */
export const MOST_COMMANDS = 600;
/** Texts in texts (`sh -c "sh -c ..."`), function calls and substitutions. */
export const MOST_DEPTH = 24;
/** Rounds of a `for` over known words. */
const MOST_ROUNDS = 32;

export interface WalkRules {
  readonly forkBomb: Parameters<Session['hit']>[0];
  readonly unparsed: Parameters<Session['hit']>[0];
}

interface Redirects {
  readonly facts: RedirectFact[];
  readonly input: string | null;
  readonly heredoc: boolean;
}

const NO_REDIRECTS: Redirects = { facts: [], input: null, heredoc: false };

/** A copy for a subshell: what it sets stays inside. */
export function fork(scope: Scope, change: Partial<Scope> = {}): Scope {
  return { ...scope, vars: new Map(scope.vars), functions: new Map(scope.functions), ...change };
}

export class Walker {
  readonly #session: Session;
  readonly #rules: WalkRules;

  constructor(session: Session, rules: WalkRules) {
    this.#session = session;
    this.#rules = rules;
  }

  text(source: string, scope: Scope, input: string | null): string {
    if (scope.depth >= MOST_DEPTH) return this.#over();
    // A text costs by its length, so that a loop over a long one ends in time.
    this.#session.count += 1 + (source.length >> 8);
    if (this.#session.count > MOST_COMMANDS) return this.#over();
    const script = parse(source);
    if (script.errors !== undefined && script.errors.length > 0 && hasSyntaxDanger(source)) {
      this.#session.hit(this.#rules.unparsed, scope, scope.base);
    }
    return this.#list(script.commands, { ...scope, depth: scope.depth + 1, input: input ?? scope.input });
  }

  script(script: ParsedScript | undefined, scope: Scope): string {
    if (script === undefined) return HOLE;
    if (scope.depth >= MOST_DEPTH) return this.#over();
    // A script with a source of its own has positions that mean nothing outside it.
    const base = script.source === undefined ? scope.base : (scope.base ?? scope.node.span);
    return this.#list(script.commands, fork(scope, { depth: scope.depth + 1, base }));
  }

  #over(): string {
    this.#session.overCap = true;
    return HOLE;
  }

  #list(statements: readonly Statement[], scope: Scope): string {
    let out = '';
    for (const statement of statements) {
      if (this.#session.count > MOST_COMMANDS) return this.#over();
      const node = statement.command;
      if (node.type === 'AndOr') for (const part of node.commands) out += this.#pipeline(part, scope);
      else out += this.#pipeline(node, scope);
    }
    return out;
  }

  #body(body: CompoundList, scope: Scope): string {
    return this.#list(body.commands, scope);
  }

  #pipeline(node: PipelineNode, scope: Scope): string {
    if (node.type !== 'Pipeline') return this.#node(node, scope, null);
    if (node.commands.length === 1 && node.commands[0] !== undefined) return this.#node(node.commands[0], scope, null);
    let flow: string | null = null;
    for (const part of node.commands) flow = this.#node(part, fork(scope), flow);
    return flow ?? '';
  }

  #node(node: CommandNode | CompoundList, scope: Scope, input: string | null): string {
    switch (node.type) {
      case 'Command':
        return this.#command(node, scope, input);
      case 'Redirected': {
        const redirects = this.#redirects(node.redirects, scope);
        if (redirects.facts.length > 0) this.#bare(redirects.facts, scope, { start: node.pos, end: node.end });
        return this.#node(node.command, scope, redirects.input ?? input);
      }
      case 'Subshell':
        return this.#body(node.body, fork(this.#fed(scope, input)));
      case 'BraceGroup':
        return this.#body(node.body, this.#fed(scope, input));
      case 'CompoundList':
        return this.#body(node, scope);
      case 'If':
        return this.#parts(
          [node.clause, node.then, ...node.elif.flatMap((e) => [e.clause, e.then]), node.else],
          scope,
          input,
        );
      case 'While':
        return this.#parts([node.clause, node.body], scope, input);
      case 'For':
      case 'Select': {
        const words = node.wordlist?.flatMap((word) => resolve(word, scope, this.#session));
        const values = words?.map((arg) => arg.v) ?? scope.params ?? [HOLE];
        const name = value(node.name, scope, this.#session);
        let out = '';
        for (const v of values.slice(0, MOST_ROUNDS)) {
          scope.vars.set(name, [v]);
          out += this.#body(node.body, this.#fed(scope, input));
        }
        if (values.length > MOST_ROUNDS) this.#session.overCap = true;
        return out;
      }
      case 'ArithmeticFor':
        for (const e of [node.initialize, node.test, node.update]) visitArithmetic(e, scope, this.#session);
        return this.#body(node.body, scope);
      case 'ArithmeticCommand':
        visitArithmetic(node.expression, scope, this.#session);
        return '';
      case 'Case':
        value(node.word, scope, this.#session);
        return this.#parts(
          node.items.map((item) => item.body),
          scope,
          input,
        );
      case 'TestCommand':
        this.#test(node.expression, scope);
        return '';
      case 'Function':
        this.#define(node, scope);
        return '';
      case 'Coproc':
        return this.#node(node.body, fork(scope), input);
    }
  }

  #fed(scope: Scope, input: string | null): Scope {
    return input === null ? scope : { ...scope, input };
  }

  #parts(parts: readonly (CompoundList | undefined)[], scope: Scope, input: string | null): string {
    const inner = this.#fed(scope, input);
    let out = '';
    for (const part of parts) if (part !== undefined) out += this.#body(part, inner);
    return out;
  }

  #test(e: TestExpression, scope: Scope): void {
    switch (e.type) {
      case 'TestUnary':
        value(e.operand, scope, this.#session);
        return;
      case 'TestBinary':
        value(e.left, scope, this.#session);
        value(e.right, scope, this.#session);
        return;
      case 'TestLogical':
        for (const operand of e.operands) this.#test(operand, scope);
        return;
      case 'TestNot':
        this.#test(e.operand, scope);
        return;
      case 'TestGroup':
        this.#test(e.expression, scope);
    }
  }

  #define(node: ShellFunction, scope: Scope): void {
    const name = node.name.value;
    scope.functions.set(name, node);
    if (forksItself(node, name)) {
      this.#session.hit(this.#rules.forkBomb, scope, scope.base ?? { start: node.pos, end: node.end });
    }
    // It may be called from where we do not see it, with anything as its arguments.
    const hidden = fork(scope, { params: null, depth: scope.depth + 1 });
    hidden.functions.delete(name);
    if (scope.depth < MOST_DEPTH) this.#node(node.body, hidden, null);
  }

  /** Calls a function of the script itself. */
  call(node: ShellFunction, command: CommandFact): string {
    const scope = command.scope;
    if (scope.depth >= MOST_DEPTH) return this.#over();
    const inner: Scope = {
      ...scope,
      params: command.args.map((arg) => arg.v),
      depth: scope.depth + 1,
      functions: new Map(scope.functions),
    };
    inner.functions.delete(command.name);
    return this.#node(node.body, inner, command.input);
  }

  #redirects(list: readonly Redirection[], scope: Scope): Redirects {
    const facts: RedirectFact[] = [];
    let input: string | null = null;
    let heredoc = false;
    for (const r of list) {
      if (r.type === 'HereDoc') {
        input = hereText(r.body.parts, r.body.text, scope, this.#session);
        heredoc = true;
        continue;
      }
      if (r.target === undefined) continue;
      const args = resolve(r.target, scope, this.#session);
      if (r.type === 'HereString') {
        input = `${value(r.target, scope, this.#session)}\n`;
        heredoc = true;
        continue;
      }
      for (const target of args) {
        facts.push({ op: r.operator, target });
        if (r.operator === '<') input = target.produced ?? HOLE;
        if (r.operator === '>' && target.produced !== undefined) continue;
      }
    }
    return { facts, input, heredoc };
  }

  /** Redirections of a compound command, or alone on a line: judged as of a command without a name. */
  #bare(redirects: RedirectFact[], scope: Scope, at: Span): void {
    const verb: Arg = { v: '', ...(scope.base ?? at) };
    this.#session.command({ name: ':', verb, args: [], redirects, input: null, scope });
  }

  #command(node: Command, scope: Scope, piped: string | null): string {
    const s = this.#session;
    if (++s.count > MOST_COMMANDS) return this.#over();
    const redirects = node.redirects.length === 0 ? NO_REDIRECTS : this.#redirects(node.redirects, scope);
    const words: Arg[] = [];
    if (node.name !== undefined) words.push(...resolve(node.name, scope, s));
    for (const part of node.suffix) {
      if (part.type === 'Word') words.push(...resolve(part, scope, s));
      else if (part.type === 'Assignment') {
        this.#assign(part, scope);
        const v = scope.vars.get(part.name)?.[0] ?? '';
        words.push({ v: `${part.name}=${v}`, start: scope.base?.start ?? part.pos, end: scope.base?.end ?? part.end });
      }
    }
    let inner = scope;
    const prefixed = node.prefix.some((part) => part.type === 'Assignment');
    if (prefixed && words.length > 0) inner = fork(scope, { vars: new Map(scope.vars) });
    for (const part of node.prefix) if (part.type === 'Assignment') this.#assign(part, inner);
    const verb = words[0];
    if (verb === undefined) {
      if (redirects.facts.length > 0) this.#bare(redirects.facts, scope, { start: node.pos, end: node.end });
      return '';
    }
    const input = redirects.input ?? piped ?? scope.input;
    return s.command({
      name: nameOf(verb.v),
      verb,
      args: words.slice(1),
      redirects: redirects.facts,
      input,
      heredoc: redirects.heredoc,
      scope: inner,
    });
  }

  #assign(part: Extract<Command['prefix'][number], { type: 'Assignment' }>, scope: Scope): void {
    const s = this.#session;
    const given = part.value;
    const values =
      given.type === 'ArrayValue'
        ? given.elements.flatMap((word) => resolve(word, scope, s).map((arg) => arg.v))
        : [value(given, scope, s)];
    const old = scope.vars.get(part.name);
    if (part.index !== undefined) {
      const at = Number(value(part.index, scope, s));
      const array = [...(old ?? [])];
      if (Number.isInteger(at) && at >= 0 && at < 64) {
        while (array.length < at) array.push('');
        array[at] = values[0] ?? '';
        scope.vars.set(part.name, array);
      } else scope.vars.set(part.name, [HOLE]);
      return;
    }
    if (part.append === true) {
      if (given.type === 'ArrayValue') scope.vars.set(part.name, [...(old ?? []), ...values]);
      else scope.vars.set(part.name, [(old?.[0] ?? HOLE) + (values[0] ?? '')]);
      return;
    }
    scope.vars.set(part.name, values);
    this.#session.assigned(part.name, values, scope, { start: part.pos, end: part.end });
  }
}

/** Base name of a program, lower case, without `.exe`. */
export function nameOf(verb: string): string {
  const slash = verb.lastIndexOf('/');
  let name = slash < 0 ? verb : verb.slice(slash + 1);
  if (name.endsWith('.exe')) name = name.slice(0, -4);
  return name.toLowerCase();
}

/** Text that was typed is free of our symbols. */
export function cleanSource(source: string): string {
  return withoutSymbols(source);
}
