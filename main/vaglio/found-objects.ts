/** Beginnings that are tried; text full of stray braces would otherwise be read again and again. */
const MAX_TRIES = 64;

/** Index behind the brace that closes the one at `start`, or -1. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const unit = text[at];
    if (isQuoted) {
      if (unit === '\\') at++;
      else if (unit === '"') isQuoted = false;
    } else if (unit === '"') isQuoted = true;
    else if (unit === '{') depth++;
    else if (unit === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The JSON objects in a model's answer, in their order, whatever text, fence or list is around them; those inside
 * another one are part of it. Never throws.
 */
export function findObjects(text: string): unknown[] {
  const found: unknown[] = [];
  let at = text.indexOf('{');
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries++) {
    const end = endOfObject(text, at);
    const value = end < 0 ? undefined : parsed(text.slice(at, end));
    if (value !== undefined) found.push(value);
    at = text.indexOf('{', value === undefined ? at + 1 : end);
  }
  return found;
}
