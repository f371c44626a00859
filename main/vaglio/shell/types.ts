import type { ParsedScript, Function as ShellFunction } from 'unbash';
import type { StructuralRuleId } from '../../../shared/domain/structural-rules.ts';

/** What the layer answers (vaglio page, section 2, structural layer). */
export type StructuralAnswer = 'block' | 'mark' | 'pass';

/** Half-open range of UTF-16 code units in the command or value that was judged. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The resolved command, as the Try it page shows it. */
export interface TreeNode {
  kind: 'command' | 'value';
  /** Resolved text: what is unknown is shown as an ellipsis. */
  text: string;
  span: Span | null;
  /** Rules that this node met. */
  rules: string[];
  children: TreeNode[];
}

/** Facts about a command that a rule may ask for. */
export type Fact = 'verb' | 'flags' | 'targets' | 'redirects' | 'input' | 'code' | 'origin' | 'value' | 'size';

export type HarmClass =
  | 'system-loss'
  | 'home-loss'
  | 'disk-loss'
  | 'secret-access'
  | 'control'
  | 'deletion'
  | 'history-loss'
  | 'data-loss'
  | 'outage'
  | 'foreign-code'
  | 'permissions'
  | 'unresolved';

export interface Finding {
  readonly rule: Rule;
  readonly span: Span | null;
}

/** One word of a command after expansion; `v` may hold the symbols of `symbols.ts`. */
export interface Arg {
  readonly v: string;
  readonly start: number;
  readonly end: number;
  /** Text that a process substitution in this word gives (`<(...)`), if it is one. */
  readonly produced?: string;
}

export interface RedirectFact {
  readonly op: string;
  readonly target: Arg;
}

/** A folder of this machine that a container sees under another name. */
export interface Mount {
  readonly inside: string;
  readonly outside: string;
}

/** Files and symbolic links that a command line makes before it uses them, by canonical path. */
export interface Memory {
  readonly files: Map<string, string>;
  readonly links: Map<string, string>;
  /** Steps spent on pattern operations. */
  work: number;
}

/** What is known while one (sub)shell runs. */
export interface Scope {
  /** A scalar is a list of one. PWD is the working folder, where it is known. */
  vars: Map<string, string[]>;
  /** Positional parameters; null at the top, where nothing is known. */
  params: string[] | null;
  functions: Map<string, ShellFunction>;
  aliases: Map<string, string>;
  /** Null on this machine; a list inside a container. */
  mounts: readonly Mount[] | null;
  /** What this command line itself has written: shared by all its shells. */
  memory: Memory;
  /** What a command reads that has no input of its own. */
  input: string | null;
  /** Span that stands for everything in a nested text; null at the top. */
  base: Span | null;
  /** Wrappers passed on the way here, outermost first. */
  via: readonly string[];
  node: TreeNode;
  depth: number;
}

/** One simple command with everything resolved that can be. */
export interface CommandFact {
  /** Base name of the program, lower case; empty when it is unknown. */
  name: string;
  verb: Arg;
  args: Arg[];
  redirects: RedirectFact[];
  /** Text on standard input; null when it has none. */
  input: string | null;
  /** Is that text a here-document or here-string, so that it stands in the command itself? */
  heredoc?: boolean;
  scope: Scope;
}

/** A rule as data; its sentences for people stand in `shared/domain/structural-rules.ts`. `when` is absent for rules that a launcher or the size check raises by id. */
export interface Rule {
  readonly id: StructuralRuleId;
  readonly answer: 'block' | 'mark';
  /** What it keeps safe, in a few words. */
  readonly protects: string;
  readonly harm: HarmClass;
  readonly needs: readonly Fact[];
  /** Program names that it looks at; `'*'` for all. */
  readonly tools?: readonly string[] | '*';
  /** The words, redirections and input together have to match before `when` is asked: most commands never do. */
  readonly trigger?: RegExp;
  readonly when?: (command: CommandFact, session: Session) => Arg | boolean;
}

/** One judgement under way; the walker fills it, launchers call back into it. */
export interface Session {
  readonly home: string;
  /** Absolute paths of the panel's own files, without the ones that follow from home. */
  readonly control: readonly string[];
  readonly findings: Finding[];
  /** Commands seen; over the cap nothing more is walked. */
  count: number;
  /** Something was too long or too deep to be followed. */
  overCap: boolean;
  /** Records that a rule was met. */
  hit(rule: Rule, scope: Scope, at: Span | null): void;
  /** The text as typed that a word at the top of the command stands for; empty in nested texts. */
  sourceOf(arg: Arg): string;
  /** Runs a text as a shell would; returns its standard output, unknown parts as holes. */
  text(source: string, scope: Scope, input: string | null): string;
  /** Runs the script of a substitution. */
  script(script: ParsedScript | undefined, scope: Scope): string;
  /** A variable got a value: programs may read it from their environment. */
  assigned(name: string, values: readonly string[], scope: Scope, at: Span): void;
  /** Runs one resolved command; returns its standard output. */
  command(command: CommandFact): string;
}
