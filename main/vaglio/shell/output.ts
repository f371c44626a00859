import { cwdOf } from './parameters.ts';
import { canonical } from './paths.ts';
import { CODED_HOLE, HOLE, hasHole, holeOf, isGlob, isSymbolic, NET_HOLE } from './symbols.ts';
import type { CommandFact, Session } from './types.ts';

/** Longest text that is carried from one command to the next. */
const MOST_TEXT = 65_536;

/** Backslash escapes of `echo -e`, `printf` and `$'...'`. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,6})|0?([0-7]{1,3})|([abefnrtv\\"'c]))/g,
    (_, hex?: string, u?: string, big?: string, octal?: string, letter?: string) => {
      const code = hex ?? u ?? big;
      if (code !== undefined) return codePoint(Number.parseInt(code, 16));
      if (octal !== undefined) return codePoint(Number.parseInt(octal, 8));
      return { n: '\n', t: '\t', r: '\r', a: '', b: '', e: '', f: '\f', v: '\v', c: '' }[letter ?? ''] ?? letter ?? '';
    },
  );
}

function codePoint(n: number): string {
  return n <= 0x10ffff && !(n >= 0xe000 && n <= 0xe005) ? String.fromCodePoint(n) : '\uFFFD';
}

function printf(args: readonly string[]): string {
  const format = args[0];
  if (format === undefined) return '';
  let rest = args.slice(1);
  let out = '';
  do {
    const before = rest.length;
    out += unescaped(
      format.replace(/%(%|[-+ #0]*\d*(?:\.\d+)?[a-zA-Z])/g, (_, spec: string) => {
        if (spec === '%') return '%';
        const v = rest[0] ?? '';
        rest = rest.slice(1);
        return spec.endsWith('b') ? unescaped(v) : spec.endsWith('c') ? v.slice(0, 1) : v;
      }),
    );
    if (rest.length === before) break;
  } while (rest.length > 0 && out.length < MOST_TEXT);
  return out;
}

/** Text of decoded bytes; null when they are no text. */
function fromBytes(bytes: number[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase(text: string, alphabet: string, bits: number): string | null {
  const bytes: number[] = [];
  let buffer = 0;
  let held = 0;
  for (const c of text.replace(/-/g, '+').replace(/_/g, '/')) {
    if (/\s|=/.test(c)) continue;
    const n = alphabet.indexOf(c);
    if (n < 0) return null;
    buffer = ((buffer << bits) | n) & 0xffff;
    held += bits;
    if (held >= 8) {
      held -= 8;
      bytes.push((buffer >> held) & 0xff);
    }
  }
  return fromBytes(bytes);
}

/** Decodes base64; null when it is none. */
export function decodeBase64(text: string): string | null {
  return fromBase(text, BASE64, 6);
}

/** Decodes plain hexadecimal; null when it is none. */
export function decodeHex(text: string): string | null {
  const digits = text.replace(/(?:^|\s)[0-9a-f]+:\s/gi, ' ').replace(/\s|0x|\\x/g, '');
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) return null;
  const bytes: number[] = [];
  for (let i = 0; i < digits.length; i += 2) bytes.push(Number.parseInt(digits.slice(i, i + 2), 16));
  return fromBytes(bytes);
}

function charset(spec: string): string {
  const text = unescaped(spec)
    .replace('[:upper:]', 'A-Z')
    .replace('[:lower:]', 'a-z')
    .replace('[:digit:]', '0-9')
    .replace('[:space:]', ' \t\n');
  let out = '';
  for (let i = 0; i < text.length; i++) {
    if (text[i + 1] === '-' && i + 2 < text.length) {
      for (let c = text.charCodeAt(i); c <= text.charCodeAt(i + 2) && out.length < 4096; c++)
        out += String.fromCharCode(c);
      i += 2;
    } else out += text[i];
  }
  return out;
}

function translate(args: readonly string[], input: string): string {
  const remove = args[0]?.startsWith('-') === true && args[0].includes('d');
  const sets = args.filter((a, i) => !(i === 0 && a.startsWith('-') && a.length > 1));
  const from = charset(sets[0] ?? '');
  if (remove) return [...input].filter((c) => !from.includes(c)).join('');
  const to = charset(sets[1] ?? '');
  if (to === '') return HOLE;
  return [...input]
    .map((c) => {
      const at = from.indexOf(c);
      return at < 0 ? c : (to[Math.min(at, to.length - 1)] ?? c);
    })
    .join('');
}

/** One `s/a/b/` with a plain text on its left; anything else is unknown. */
function substitute(script: string | undefined, input: string): string {
  const match = /^s(.)((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1(g?)$/s.exec(script ?? '');
  if (match === null || /[.*[\]^$\\+?(){}|&]/.test(`${match[2]}${match[3]}`)) return HOLE;
  const [, , from = '', to = '', all] = match;
  return all === 'g' ? input.split(from).join(to) : input.replace(from, () => to);
}

function decoded(text: string | null): string {
  return text === null ? CODED_HOLE : text.replace(/[\uE000-\uE005]/g, '\uFFFD');
}

const NETWORK = new Set([
  'curl',
  'wget',
  'fetch',
  'aria2c',
  'http',
  'https',
  'xh',
  'lynx',
  'w3m',
  'nc',
  'ncat',
  'netcat',
  'socat',
  'lwp-request',
  'get',
  'ftp',
  'links',
  'elinks',
  'gsutil',
  'aws',
  'telnet',
  'openssl-s_client',
  'httpie',
  'curlie',
]);
const CODED = new Set([
  'openssl',
  'gpg',
  'gunzip',
  'zcat',
  'bunzip2',
  'bzcat',
  'xzcat',
  'unxz',
  'uudecode',
  'base58',
  'age',
  'zstdcat',
  'lz4cat',
  'unzip',
]);

/**
 * Standard output of a command, as far as it can be told without running it. Unknown output is a hole
 * that remembers whether it came over the network or out of an encoding.
 */
export function outputOf(command: CommandFact, session: Session): string {
  const args = command.args.map((arg) => arg.v);
  const input = command.input;
  const known = input !== null && !isSymbolic(input);
  const operands = () => args.filter((a) => !a.startsWith('-'));
  const text = compute();
  return text.length > MOST_TEXT ? HOLE : text;

  function read(): string {
    for (const arg of command.args) if (arg.produced !== undefined) return arg.produced;
    return operands().length > 0 ? HOLE : (input ?? HOLE);
  }

  function compute(): string {
    switch (command.name) {
      case 'echo': {
        let from = 0;
        let escapes = false;
        let newline = '\n';
        while (/^-[neE]+$/.test(args[from] ?? '')) {
          if (args[from]?.includes('e') === true) escapes = true;
          if (args[from]?.includes('n') === true) newline = '';
          from++;
        }
        const joined = args.slice(from).join(' ');
        return (escapes ? unescaped(joined) : joined) + newline;
      }
      case 'printf':
        if (args[0] === '-v') return '';
        return printf(args[0] === '--' ? args.slice(1) : args);
      case 'cat':
      case 'tee':
      case 'head':
      case 'tail':
      case 'sort':
      case 'uniq':
      case 'pv':
      case 'xargs':
        return command.name === 'tee' ? (input ?? HOLE) : read();
      case 'base64':
      case 'gbase64':
      case 'base32': {
        if (!args.some((a) => /^-[idD]*[dD]|^--d/.test(a))) return HOLE;
        const source = read();
        if (hasHole(source)) return CODED_HOLE;
        return decoded(command.name === 'base32' ? fromBase(source, BASE32, 5) : decodeBase64(source));
      }
      case 'xxd': {
        if (!args.some((a) => /^-[a-z]*r/.test(a))) return HOLE;
        const source = read();
        return hasHole(source) ? CODED_HOLE : decoded(decodeHex(source));
      }
      case 'rev':
        return known ? [...input].reverse().join('').replace(/^\n/, '').concat('\n') : (input ?? HOLE);
      case 'tr':
        return known ? translate(args, input) : input === null ? HOLE : holeOf(input);
      case 'sed':
        return known && args.length === 1 ? substitute(args[0], input) : input === null ? HOLE : holeOf(input);
      case 'openssl':
        return known && args.some((a) => a === '-d') && args.some((a) => /base64|-a$/.test(a))
          ? decoded(decodeBase64(input))
          : args[0] === 'rand'
            ? HOLE
            : CODED_HOLE;
      case 'ls': {
        const named = operands().filter(
          (path) => isGlob(path) || path.startsWith('/dev/') || args.some((a) => /^-[a-zA-Z]*d/.test(a)),
        );
        return named.length === 0 ? HOLE : `${named.join('\n')}\n`;
      }
      case 'pwd':
        return `${cwdOf(command.scope) ?? '.'}\n`;
      case 'readlink':
      case 'realpath':
      case 'grealpath': {
        const path = operands().at(-1);
        return path === undefined
          ? HOLE
          : `${canonical(path, { home: session.home, cwd: cwdOf(command.scope), mounts: null })}\n`;
      }
      case 'dirname': {
        const path = operands().at(-1)?.replace(/\/+$/, '');
        if (path === undefined) return HOLE;
        const slash = path.lastIndexOf('/');
        return `${slash < 0 ? '.' : slash === 0 ? '/' : path.slice(0, slash)}\n`;
      }
      case 'basename':
        return `${operands()[0]?.replace(/\/+$/, '').replace(/^.*\//, '') ?? HOLE}\n`;
      case 'which':
      case 'command':
      case 'type':
        return `${operands().at(-1) ?? HOLE}\n`;
      case 'true':
      case 'false':
      case ':':
      case 'cd':
      case 'sleep':
      case 'export':
      case 'local':
      case 'declare':
      case 'set':
      case 'test':
      case '[':
        return '';
      case 'git':
        return args[0] === 'rev-parse' && args[1] === '--show-toplevel' ? '.\n' : HOLE;
      case 'mktemp':
        return `/tmp/tmp.${HOLE}`;
    }
    if (NETWORK.has(command.name)) return NET_HOLE;
    if (CODED.has(command.name)) return CODED_HOLE;
    return input === null || known ? HOLE : holeOf(input);
  }
}
