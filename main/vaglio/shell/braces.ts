/** Most words that one brace expression may become. */
export const MOST_BRACED = 64;

/** Longer words are left as they are. */
export const LONGEST_BRACED = 2_048;

/** End of a quoted or substituted stretch that starts at `i`; `i + 1` when there is none. */
function skip(text: string, i: number): number {
  const c = text[i];
  if (c === '\\') return Math.min(i + 2, text.length);
  if (c === "'") {
    const end = text.indexOf("'", i + 1);
    return end < 0 ? text.length : end + 1;
  }
  if (c === '"' || c === '`') {
    let j = i + 1;
    while (j < text.length && text[j] !== c) j += text[j] === '\\' ? 2 : 1;
    return Math.min(j + 1, text.length);
  }
  if (c === '$' && (text[i + 1] === '{' || text[i + 1] === '(')) {
    const open = text[i + 1];
    const close = open === '{' ? '}' : ')';
    let level = 0;
    for (let j = i + 1; j < text.length; j++) {
      if (text[j] === open) level++;
      else if (text[j] === close && --level === 0) return j + 1;
    }
    return text.length;
  }
  return i + 1;
}

function range(body: string): string[] | null {
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(body);
  if (match === null) return null;
  const [, from = '', to = '', by] = match;
  const letters = /[A-Za-z]/.test(from);
  if (letters !== /[A-Za-z]/.test(to)) return null;
  const a = letters ? from.charCodeAt(0) : Number(from);
  const b = letters ? to.charCodeAt(0) : Number(to);
  const step = Math.max(1, Math.abs(Number(by ?? 1) || 1));
  const out: string[] = [];
  for (let n = a; a <= b ? n <= b : n >= b; n += a <= b ? step : -step) {
    out.push(letters ? String.fromCharCode(n) : String(n));
    if (out.length > MOST_BRACED) return out;
  }
  return out;
}

/**
 * Brace expansion on the text of a word, before anything else, as bash does it. Never more than MOST_BRACED
 * words: what is beyond is dropped, and the caller sees it by the length.
 */
export function expandBraces(text: string): string[] {
  if (text.length > LONGEST_BRACED) return [text];
  for (let i = 0; i < text.length; ) {
    if (text[i] !== '{') {
      i = skip(text, i);
      continue;
    }
    const commas: number[] = [];
    let level = 0;
    let end = -1;
    for (let j = i; j < text.length; ) {
      if (text[j] === '{') level++;
      else if (text[j] === '}' && --level === 0) {
        end = j;
        break;
      } else if (text[j] === ',' && level === 1) commas.push(j);
      j = text[j] === '{' || text[j] === '}' ? j + 1 : skip(text, j);
    }
    if (end < 0) return [text];
    const body = text.slice(i + 1, end);
    let choices: string[] | null = null;
    if (commas.length > 0) {
      choices = [];
      let from = i + 1;
      for (const comma of [...commas, end]) {
        choices.push(text.slice(from, comma));
        from = comma + 1;
      }
    } else choices = range(body);
    if (choices === null) {
      i++;
      continue;
    }
    const head = text.slice(0, i);
    const tails = expandBraces(text.slice(end + 1));
    const out: string[] = [];
    for (const choice of choices) {
      for (const middle of expandBraces(choice)) {
        for (const tail of tails) {
          out.push(head + middle + tail);
          if (out.length >= MOST_BRACED) return out;
        }
      }
    }
    return out;
  }
  return [text];
}
