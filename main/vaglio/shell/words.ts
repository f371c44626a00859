import { type ArithmeticExpression, type ParameterExpansionPart, parse, type Word, type WordPart } from 'unbash';
import { expandBraces, LONGEST_BRACED, MOST_BRACED } from './braces.ts';
import { cwdOf, parameter, variable } from './parameters.ts';
import { expandTilde } from './paths.ts';
import { ANY, HOLE, STAR } from './symbols.ts';
import type { Arg, Scope, Session } from './types.ts';

/** Longer words are unknown: doubling a variable often enough would fill the memory. */
const LONGEST = 32_768;

function bounded(text: string): string {
  return text.length > LONGEST ? HOLE : text;
}

/** Collects the fields of one word; unquoted expansions split them. */
class Fields {
  readonly done: string[] = [];
  current: string | null = null;
  produced: string | undefined;

  add(text: string): void {
    this.current = bounded((this.current ?? '') + text);
  }

  cut(): void {
    if (this.current !== null) this.done.push(this.current);
    this.current = null;
  }

  /** Adds an unquoted expansion: splits at the separators, globs are live. */
  split(text: string, separators: string): void {
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      if (!separators.includes(text[i] ?? '')) continue;
      if (i > from) this.add(liveGlobs(text.slice(from, i)));
      this.cut();
      from = i + 1;
    }
    if (from < text.length) this.add(liveGlobs(text.slice(from)));
  }

  all(): string[] {
    this.cut();
    return this.done;
  }
}

function liveGlobs(text: string): string {
  return text.includes('*') || text.includes('?') ? text.replace(/\*/g, STAR).replace(/\?/g, ANY) : text;
}

/** A bracket of one character is that character; others may be any of theirs. */
function bracket(text: string): string {
  const body = text.slice(1, -1);
  return body.length === 1 ? body : ANY;
}

/** Runs the substitutions inside an arithmetic expression; its value stays unknown. */
export function visitArithmetic(e: ArithmeticExpression | undefined, scope: Scope, session: Session): void {
  if (e === undefined) return;
  switch (e.type) {
    case 'ArithmeticBinary':
      visitArithmetic(e.left, scope, session);
      visitArithmetic(e.right, scope, session);
      return;
    case 'ArithmeticUnary':
      visitArithmetic(e.operand, scope, session);
      return;
    case 'ArithmeticTernary':
      visitArithmetic(e.test, scope, session);
      visitArithmetic(e.consequent, scope, session);
      visitArithmetic(e.alternate, scope, session);
      return;
    case 'ArithmeticGroup':
      visitArithmetic(e.expression, scope, session);
      return;
    case 'ArithmeticCommandExpansion':
      session.script(e.script, scope);
      return;
    case 'ArithmeticWord':
      for (const part of e.parts ?? []) quoted(part, scope, session);
  }
}

function parameterValues(part: ParameterExpansionPart, scope: Scope, session: Session): string[] | null {
  return parameter(part, scope, session.home, (word) => (word === undefined ? '' : value(word, scope, session)));
}

/** The text of a part as it stands inside double quotes: no splitting, no globs. */
function quoted(part: WordPart, scope: Scope, session: Session): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'Glob':
      return part.text;
    case 'DoubleQuoted':
    case 'LocaleString': {
      let out = '';
      for (const child of part.parts) out = bounded(out + quoted(child, scope, session));
      return out;
    }
    case 'SimpleExpansion': {
      const name = part.text.slice(1);
      return variable(name, scope, session.home)?.join(' ') ?? HOLE;
    }
    case 'ParameterExpansion':
      return parameterValues(part, scope, session)?.join(' ') ?? HOLE;
    case 'CommandExpansion':
      return session.script(part.script, scope).replace(/\n+$/, '');
    case 'ArithmeticExpansion':
      visitArithmetic(part.expression, scope, session);
      return HOLE;
    case 'ProcessSubstitution':
      session.script(part.script, scope);
      return '/dev/fd/63';
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return part.text;
  }
}

function addPart(part: WordPart, first: boolean, fields: Fields, scope: Scope, session: Session): void {
  const ifs = scope.vars.get('IFS')?.[0] ?? ' \t\n';
  switch (part.type) {
    case 'Literal':
      fields.add(first && part.text[0] === '~' ? expandTilde(part.value, session.home, cwdOf(scope)) : part.value);
      return;
    case 'Glob':
      fields.add(part.kind === 'star' ? STAR : part.kind === 'question' ? ANY : bracket(part.text));
      return;
    case 'ExtendedGlob':
      fields.add(STAR);
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const name = part.type === 'SimpleExpansion' ? part.text.slice(1) : part.parameter;
      const values =
        part.type === 'SimpleExpansion' ? variable(name, scope, session.home) : parameterValues(part, scope, session);
      if (values === null) {
        // `$@` in the middle of a word is empty where nobody gave parameters: a known trick to hide words.
        if ((name === '@' || name === '*') && (!first || fields.current !== null)) return;
        fields.add(HOLE);
        return;
      }
      values.forEach((v, i) => {
        if (i > 0) fields.cut();
        fields.split(v, ifs);
      });
      return;
    }
    case 'CommandExpansion':
      fields.split(session.script(part.script, scope).replace(/\n+$/, ''), ifs);
      return;
    case 'ProcessSubstitution':
      fields.produced = session.script(part.script, scope);
      fields.add('/dev/fd/63');
      return;
    case 'DoubleQuoted':
      if (part.parts.length === 1 && (part.text === '"$@"' || part.text === `"\${@}"`) && scope.params !== null) {
        scope.params.forEach((v, i) => {
          if (i > 0) fields.cut();
          fields.add(v);
        });
        return;
      }
      if (addArray(part.parts[0], part.parts.length, fields, scope, session)) return;
      fields.add(quoted(part, scope, session));
      return;
    default:
      fields.add(quoted(part, scope, session));
  }
}

/** `"${a[@]}"`: one field for each element. */
function addArray(part: WordPart | undefined, count: number, fields: Fields, scope: Scope, session: Session): boolean {
  if (part?.type !== 'ParameterExpansion' || count !== 1 || part.index?.text !== '@') return false;
  const values = parameterValues(part, scope, session);
  if (values === null) return false;
  values.forEach((v, i) => {
    if (i > 0) fields.cut();
    fields.add(v);
  });
  return true;
}

/** The fields that a word becomes; none for an empty expansion. */
export function resolve(word: Word, scope: Scope, session: Session): Arg[] {
  const start = scope.base?.start ?? word.pos;
  const end = scope.base?.end ?? word.end;
  const parts = word.parts;
  if (parts === undefined) {
    const v = word.text[0] === '~' ? expandTilde(word.value, session.home, cwdOf(scope)) : word.value;
    return [{ v, start, end }];
  }
  if (parts.some((part) => part.type === 'BraceExpansion')) return resolveBraces(word, scope, session, start, end);
  const fields = new Fields();
  parts.forEach((part, i) => {
    addPart(part, i === 0, fields, scope, session);
  });
  const produced = fields.produced;
  return fields.all().map((v) => (produced === undefined ? { v, start, end } : { v, start, end, produced }));
}

function resolveBraces(word: Word, scope: Scope, session: Session, start: number, end: number): Arg[] {
  const texts = expandBraces(word.text);
  if (texts.length >= MOST_BRACED || (texts.length === 1 && word.text.length > LONGEST_BRACED)) session.overCap = true;
  const out: Arg[] = [];
  for (const text of texts) {
    if (text === word.text) {
      out.push({ v: word.value, start, end });
      continue;
    }
    const statement = parse(`: ${text}`).commands[0]?.command;
    if (statement?.type !== 'Command') continue;
    for (const inner of statement.suffix) {
      if (inner.type !== 'Word') continue;
      // The copy has no place of its own in the source: the whole word stands for it.
      const nested: Scope = { ...scope, base: { start, end } };
      out.push(...(inner.text === word.text ? [{ v: inner.value, start, end }] : resolve(inner, nested, session)));
    }
  }
  return out;
}

/** The value of a word where no splitting happens: an assignment, a here-string, a redirection target. */
export function value(word: Word, scope: Scope, session: Session): string {
  const parts = word.parts;
  if (parts === undefined)
    return word.text[0] === '~' ? expandTilde(word.value, session.home, cwdOf(scope)) : word.value;
  let out = '';
  parts.forEach((part, i) => {
    if (part.type === 'Literal' && i === 0 && part.text[0] === '~')
      out += expandTilde(part.value, session.home, cwdOf(scope));
    else if (part.type === 'Glob')
      out += part.kind === 'star' ? STAR : part.kind === 'question' ? ANY : bracket(part.text);
    else out += quoted(part, scope, session);
  });
  return bounded(out);
}

/** The body of a here-document with its expansions done. */
export function hereText(parts: readonly WordPart[] | undefined, text: string, scope: Scope, session: Session): string {
  if (parts === undefined) return text;
  let out = '';
  for (const part of parts) out = bounded(out + quoted(part, scope, session));
  return out;
}
