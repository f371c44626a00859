/**
 * Other readings of a command as typed: a terminal, a copy and paste or a careless filter may drop escape
 * sequences, invisible characters and full-width forms, and what is left is what runs.
 */
export function variants(source: string): readonly string[] {
  if (isPlain(source)) return [source];
  const plain = cleaned(source);
  return plain === source ? [source] : [source, plain];
}

function isPlain(source: string): boolean {
  for (let i = 0; i < source.length; i++) {
    const c = source.charCodeAt(i);
    if (c > 126 || (c < 32 && c !== 10 && c !== 9)) return false;
  }
  return true;
}

const ESCAPES = new RegExp(
  `${String.fromCharCode(27)}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${String.fromCharCode(7)}${String.fromCharCode(27)}]*(?:${String.fromCharCode(7)}|${String.fromCharCode(27)}\\\\)|[@-Z\\\\-_])`,
  'g',
);

function cleaned(source: string): string {
  let out = '';
  for (const c of source.replace(ESCAPES, '').normalize('NFKC')) {
    const n = c.codePointAt(0) ?? 0;
    if (n === 10 || n === 9) out += c;
    else if (n === 11 || n === 12) out += ' ';
    else if (n === 13) out += '\n';
    else if (n < 32 || n === 127 || /\p{Cf}|\p{Default_Ignorable_Code_Point}/u.test(c)) continue;
    else if (/\p{Z}/u.test(c)) out += ' ';
    else out += LOOK_ALIKES.get(c) ?? c;
  }
  return out;
}

/** Letters of other scripts that are drawn like the ones in the names of dangerous programs. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ['а', 'a'],
  ['с', 'c'],
  ['ԁ', 'd'],
  ['е', 'e'],
  ['і', 'i'],
  ['к', 'k'],
  ['м', 'm'],
  ['о', 'o'],
  ['р', 'p'],
  ['ѕ', 's'],
  ['һ', 'h'],
  ['х', 'x'],
  ['у', 'y'],
  ['ɡ', 'g'],
  ['∕', '/'],
  ['⁄', '/'],
  ['－', '-'],
  ['–', '-'],
  ['—', '-'],
  ['−', '-'],
]);
