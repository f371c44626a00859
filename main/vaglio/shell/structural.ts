/**
 * The structural layer above the guard's core (vaglio page, section 2): the same harm in other words. It parses
 * commands with a shell grammar, resolves what is known, follows wrappers and asks the rules. Pure: home
 * and working folder are arguments; no file, environment, clock or module state.
 */
import { isCommandKey, judgePath, textValues } from './arguments.ts';
import { judgeAssignment } from './assignments.ts';
import { failed, forkBomb, tooMuch, unparsed } from './rules/origin.ts';
import { runCommand } from './run.ts';
import { variants } from './spellings.ts';
import type { Finding, Rule, Scope, Session, Span, StructuralAnswer, TreeNode } from './types.ts';
import { cleanSource, Walker } from './walk.ts';

/** Longer commands are read at both ends only, and are at least marked. */
export const MOST_COMMAND = 32_768;

export interface StructuralInput {
  readonly executor: string;
  readonly args: unknown;
  readonly context?: unknown;
  /** Absolute path of the person's home folder. */
  readonly home: string;
  /** Absolute working folder of the call, where it is known. */
  readonly cwd?: string | null;
  /** Further absolute paths of the panel's own files, when its roots were moved (files page). */
  readonly control?: readonly string[];
}

export interface StructuralResult {
  readonly answer: StructuralAnswer;
  /** The rule that decided: the first block, else the first mark. */
  readonly rule?: string;
  /** `guard: struttura shell: ID` or `guard: struttura path: ID` (vaglio page, section 2); only for a block. */
  readonly reason?: string;
  /** Ids of the marks that were met, each once. */
  readonly marks: readonly string[];
  /** Where the deciding rule matched, in the command or the value. */
  readonly span?: Span;
  readonly tree: TreeNode;
}

interface Judgement {
  readonly findings: Finding[];
  readonly tree: TreeNode;
  over: boolean;
}

function judgeText(source: string, input: StructuralInput, tree: TreeNode): Judgement {
  const findings: Finding[] = [];
  const clean = cleanSource(source);
  const session: Session = {
    home: input.home.replace(/(.)\/+$/, '$1'),
    control: input.control ?? [],
    findings,
    count: 0,
    overCap: false,
    hit(rule: Rule, scope: Scope, at: Span | null): void {
      if (!scope.node.rules.includes(rule.id)) scope.node.rules.push(rule.id);
      if (!findings.some((f) => f.rule === rule)) findings.push({ rule, span: at });
    },
    sourceOf: (arg) => clean.slice(arg.start, arg.end),
    text: (text, scope, stdin) => walker.text(text, scope, stdin),
    script: (script, scope) => walker.script(script, scope),
    assigned: (name, values, scope, at) => judgeAssignment(name, values, scope, at, session),
    command: (command) => runCommand(command, session, walker),
  };
  const walker = new Walker(session, { forkBomb, unparsed });
  try {
    walker.text(clean, topScope(input, tree), null);
  } catch {
    // What was found before the fault still counts: a block stays a block.
    findings.push({ rule: failed, span: null });
  }
  return { findings, tree, over: session.overCap };
}

function topScope(input: StructuralInput, node: TreeNode): Scope {
  return {
    vars: new Map(input.cwd?.startsWith('/') === true ? [['PWD', [input.cwd]]] : []),
    params: null,
    functions: new Map(),
    aliases: new Map(),
    mounts: null,
    memory: { files: new Map(), links: new Map(), work: 0 },
    input: null,
    base: null,
    via: [],
    node,
    depth: 0,
  };
}

/** A word list as a program is started with it: every word stands for itself. */
function quotedWords(words: readonly unknown[]): string {
  return words.map((word) => `'${String(word).replace(/'/g, "'\\''")}'`).join(' ');
}

function commandTexts(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!Array.isArray(value) || value.length === 0) return [];
  const joined = value.map((word) => String(word)).join(' ');
  return value.length === 1 ? [joined] : [quotedWords(value), joined];
}

/** `{command: "bash", args: ["-c", ...]}`: a program and its words in two keys. */
function withWords(value: unknown, args: unknown): unknown {
  const words = own(args, 'args') ?? own(args, 'arguments') ?? own(args, 'argv');
  return typeof value === 'string' && Array.isArray(words) && words.length > 0 ? [value, ...words] : value;
}

function own(record: unknown, key: string): unknown {
  if (record instanceof Map) return record.get(key);
  return record !== null && typeof record === 'object' && Object.hasOwn(record, key)
    ? (record as Record<string, unknown>)[key]
    : undefined;
}

function entries(record: unknown): [string, unknown][] {
  if (record instanceof Map) return [...record].map(([k, v]) => [String(k), v]);
  return record !== null && typeof record === 'object' && !Array.isArray(record) ? Object.entries(record) : [];
}

/** Judges a command of any length: a long one at both ends. */
function judgeCommand(source: string, input: StructuralInput, tree: TreeNode, found: Finding[]): void {
  const node: TreeNode = {
    kind: 'value',
    text: source.length > 200 ? `${source.slice(0, 200)}…` : source,
    span: { start: 0, end: source.length },
    rules: [],
    children: [],
  };
  tree.children.push(node);
  const pieces =
    source.length <= MOST_COMMAND ? variants(source) : [source.slice(0, MOST_COMMAND), source.slice(-MOST_COMMAND)];
  if (source.length > MOST_COMMAND) found.push({ rule: tooMuch, span: null });
  pieces.forEach((piece, i) => {
    const exact = i === 0;
    const judged = judgeText(piece, input, exact ? node : { ...node, children: [], rules: [] });
    for (const finding of judged.findings) found.push(exact ? finding : { rule: finding.rule, span: node.span });
    if (judged.over) found.push({ rule: tooMuch, span: null });
  });
}

function judgeAll(input: StructuralInput, tree: TreeNode, found: Finding[]): void {
  const { executor, args, context } = input;
  const runs = executor === 'shell_exec' || own(context, 'capability') === 'code:exec';
  for (const [key, value] of entries(args)) {
    if (!(runs && (key === 'command' || key === 'cmd')) && !isCommandKey(key)) continue;
    for (const text of commandTexts(withWords(value, args))) judgeCommand(text, input, tree, found);
  }
  if (runs) {
    const code = own(args, 'code');
    if (typeof code === 'string' && code.length <= MOST_COMMAND) judgeCode(code, input, tree, found);
  }
  const { values, complete } = textValues(args);
  if (!complete) found.push({ rule: tooMuch, span: null });
  for (const value of values) {
    if (isCommandKey(value.key) && (runs || value.text.includes(' '))) continue;
    for (const finding of judgePath(value, executor, input.home, input.cwd ?? null, input.control ?? [])) {
      found.push(finding);
      tree.children.push({
        kind: 'value',
        text: value.text.slice(0, 200),
        span: finding.span,
        rules: [finding.rule.id],
        children: [],
      });
    }
  }
}

/** A program in a script language, for tools that run one. */
function judgeCode(code: string, input: StructuralInput, tree: TreeNode, found: Finding[]): void {
  const source = `python - <<'END-OF-PROGRAM'\n${code}\nEND-OF-PROGRAM`;
  const judged = judgeText(source, input, tree);
  for (const finding of judged.findings) found.push({ rule: finding.rule, span: { start: 0, end: code.length } });
}

/**
 * Judges one call. Never throws: a fault of its own is a mark, unless what was found before is a block.
 */
export function structuralGuard(given: StructuralInput): StructuralResult {
  const told = own(given.context, 'cwd');
  const input = given.cwd === undefined && typeof told === 'string' ? { ...given, cwd: told } : given;
  const tree: TreeNode = { kind: 'value', text: input.executor, span: null, rules: [], children: [] };
  const found: Finding[] = [];
  try {
    judgeAll(input, tree, found);
  } catch {
    found.push({ rule: failed, span: null });
  }
  const block = found.find((f) => f.rule.answer === 'block');
  const marks = [...new Set(found.filter((f) => f.rule.answer === 'mark').map((f) => f.rule.id))];
  const deciding = block ?? found[0];
  if (deciding === undefined) return { answer: 'pass', marks, tree };
  const kind = deciding.rule.id.startsWith('path.') ? 'path' : 'shell';
  return {
    answer: deciding.rule.answer,
    rule: deciding.rule.id,
    ...(block === undefined ? {} : { reason: `guard: struttura ${kind}: ${block.rule.id}` }),
    marks,
    ...(deciding.span === null ? {} : { span: deciding.span }),
    tree,
  };
}
