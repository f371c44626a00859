import { decodeBase64, decodeHex, unescaped } from './output.ts';

/** A string literal in a program, with the call it stands in. */
export interface Literal {
  readonly text: string;
  /** Name of the innermost call or command word before it, lower case, dots kept; empty when none. */
  readonly call: string;
  /** Enclosing calls, outermost first, the innermost left out. */
  readonly around: readonly string[];
  /** Number of the argument list it belongs to: literals of one list share it. */
  readonly list: number;
  /** Was in backquotes, `%x{}` or `qx()`: runs as a command in some languages. */
  readonly runs: boolean;
}

/** Longest program that is read. */
const MOST_CODE = 65_536;

const WORD_BEFORE = /([\w$:.!?-]+)\s*$/;

/** The string literals of a program in any of the usual script languages, comments of `#` and `//` left out. */
export function literals(code: string): Literal[] {
  const out: Literal[] = [];
  const stack: { call: string; list: number }[] = [{ call: '', list: 0 }];
  let lists = 0;
  let word = '';
  let at = 0;
  const source = code.slice(0, MOST_CODE);
  while (at < source.length) {
    const c = source[at] ?? '';
    if (c === '(' || c === '[' || c === '{') {
      const named = c === '(' || /\b(?:qx|%x)$/.test(word);
      const call = named ? (WORD_BEFORE.exec(word)?.[1] ?? '') : (stack.at(-1)?.call ?? '');
      const runs = /^(?:qx|%?x)$/.test(call) && (c !== '[' || call === 'qx');
      if (runs) {
        const close = source.indexOf(c === '(' ? ')' : '}', at + 1);
        out.push({
          text: source.slice(at + 1, close < 0 ? undefined : close),
          call: 'qx',
          around: [],
          list: ++lists,
          runs: true,
        });
        at = close < 0 ? source.length : close + 1;
        word = '';
        continue;
      }
      stack.push({
        call: call.toLowerCase(),
        list: c === '{' ? ++lists : c === '(' ? ++lists : (stack.at(-1)?.list ?? 0),
      });
      word = '';
      at++;
    } else if (c === ')' || c === ']' || c === '}') {
      if (stack.length > 1) stack.pop();
      word = '';
      at++;
    } else if (c === '"' || c === "'" || c === '`') {
      const triple = c !== '`' && source.startsWith(c.repeat(3), at) ? c.repeat(3) : c;
      let end = at + triple.length;
      while (end < source.length && !source.startsWith(triple, end)) end += source[end] === '\\' ? 2 : 1;
      const raw = source.slice(at + triple.length, end);
      const inner = stack.at(-1) ?? { call: '', list: 0 };
      const line = word.slice(word.lastIndexOf('\n') + 1);
      const bare = (/^\s*([a-z_][\w.:]*)\s*(?:\w+\s*,\s*)?[rbfu]{0,2}$/i.exec(line) ??
        /\s([a-z_]\w+)\s+$/i.exec(line))?.[1];
      const commandWord = inner.call === '' || stack.length === 1 ? (bare ?? '') : '';
      out.push({
        text: c === "'" && triple.length === 1 && /\\x/.test(raw) === false ? raw : unescaped(raw),
        call: commandWord === '' ? inner.call : commandWord.toLowerCase(),
        around: stack.slice(1, -1).map((level) => level.call),
        list: inner.list,
        runs: c === '`' || /\|\s*&?\s*$/.test(word) || /^\s*\|\s*&?\s*getline/.test(source.slice(end + 1, end + 24)),
      });
      at = end + triple.length;
      word = '';
    } else if (
      (c === '#' && (at === 0 || /\s/.test(source[at - 1] ?? ''))) ||
      (c === '/' && source[at + 1] === '/' && !/[:'"\w]/.test(source[at - 1] ?? ''))
    ) {
      const end = source.indexOf('\n', at);
      at = end < 0 ? source.length : end;
    } else {
      if (c === ';' || c === '\n') {
        word = '';
        if (stack.length === 1) stack[0] = { call: '', list: ++lists };
      } else word = (word.length > 256 ? word.slice(-128) : word) + c;
      at++;
    }
  }
  return joined(out, source);
}

/** `"/etc/" + "passwd"` in one list is also tried as one. */
function joined(list: Literal[], source: string): Literal[] {
  if (list.length < 2 || !/["'`]\s*(?:\+|\.\.?)\s*["'`]/.test(source)) return list;
  const out = [...list];
  for (let i = 1; i < list.length && i < 200; i++) {
    const a = list[i - 1];
    const b = list[i];
    if (a !== undefined && b !== undefined && a.list === b.list) out.push({ ...b, text: a.text + b.text });
  }
  return out;
}

const last = (call: string): string => call.slice(Math.max(call.lastIndexOf('.'), call.lastIndexOf(':')) + 1);

const RUNNERS =
  /^(?:system|popen|popen2|popen3|exec[lv]?[pe]{0,2}|execsync|execfile|execfilesync|exec|spawn|spawnsync|run|call|check_call|check_output|getoutput|getstatusoutput|shell_exec|execute|script|eval|function|instance_eval|passthru|proc_open|pty|sh|bash|shell|shellout|qx|command|cmd|start-process|invoke-expression|iex|execa|execasync|popen_ok|capture2|capture3|subprocess|script|\$|%x)$/;
const PRINTERS =
  /^(?:print|println|printf|puts|log|info|warn|error|debug|echo|say|p|pp|write-host|write-output|console|sprintf|die|fprintf|display|disp|writeln|assert|describe|it|test|raise|throw|exception)$/;
const TREE_REMOVERS =
  /^(?:rmtree|remove_tree|rm_rf|rm_r|rm_f|rmsync|rm|rmdir|rmdirsync|rmdir_s|removesync|remove|rimraf|rimrafsync|emptydir|emptydirsync|deltree|unlink|unlinksync|removeall|remove-item|delete|deletedirectory|remove_dir_all|remove_entry_secure|removedirs|del|erase)$/;
const DECODERS =
  /^(?:b64decode|decodebytes|atob|base64_decode|decode64|urlsafe_b64decode|decode_base64|unhexlify|fromhex|hex2bin|frombase64string)$/;

/** What a program would do with a literal. */
export type Use = 'run' | 'print' | 'remove' | 'other';

export function purposeOf(literal: Literal): Use {
  const own = last(literal.call);
  if (literal.runs && !/[$]\{/.test(literal.text)) return 'run';
  if (RUNNERS.test(own) || (own === 'open' && /^\s*\||\|\s*$/.test(literal.text))) return 'run';
  if (TREE_REMOVERS.test(own)) return 'remove';
  for (let i = literal.around.length - 1; i >= 0; i--) {
    const outer = last(literal.around[i] ?? '');
    if (RUNNERS.test(outer)) return 'run';
    if (TREE_REMOVERS.test(outer)) return 'remove';
  }
  return PRINTERS.test(own) ? 'print' : 'other';
}

/** The literal's text, decoded when a decoder stands around it. */
export function plainText(literal: Literal): string {
  const own = last(literal.call);
  if (own === 'open') return literal.text.replace(/^\s*\||\|\s*$/g, '');
  if (!DECODERS.test(own)) return literal.text;
  return (/hex/.test(own) ? decodeHex(literal.text) : decodeBase64(literal.text)) ?? literal.text;
}
