import { pyIncludes } from './python-unicode.ts';

/** Below so many steps every token is simply searched for. */
const SIMPLE_STEPS = 1_000_000;

/**
 * The first of `tokens` that `text` contains, in time linear in both: a name of thousands of tokens against a text of
 * megabytes would otherwise take minutes.
 */
export function firstContained(text: string, tokens: readonly string[]): string | null {
  if (tokens.length * text.length <= SIMPLE_STEPS) return tokens.find((token) => pyIncludes(text, token)) ?? null;
  const whole = tokens.filter((token) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(token));
  return whole[firstInOnePass(text, whole)] ?? null;
}

interface State {
  next: Map<number, State>;
  /** The longest proper suffix of this state's text that starts a token too. */
  fall: State | null;
  /** Smallest index of a token that ends here. */
  token: number;
}

/** Aho and Corasick's automaton over UTF-16 units; the caller leaves out tokens that begin or end inside a pair. */
function firstInOnePass(text: string, tokens: readonly string[]): number {
  const root: State = { next: new Map(), fall: null, token: Number.POSITIVE_INFINITY };
  for (const [index, token] of tokens.entries()) {
    let state = root;
    for (let i = 0; i < token.length; i++) {
      const unit = token.charCodeAt(i);
      let child = state.next.get(unit);
      if (child === undefined) {
        child = { next: new Map(), fall: null, token: Number.POSITIVE_INFINITY };
        state.next.set(unit, child);
      }
      state = child;
    }
    state.token = Math.min(state.token, index);
  }
  const queue: State[] = [root];
  for (const state of queue) {
    for (const [unit, child] of state.next) {
      child.fall = step(state.fall, unit, root);
      child.token = Math.min(child.token, child.fall.token);
      queue.push(child);
    }
  }
  let state = root;
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < text.length && best > 0; i++) {
    state = step(state, text.charCodeAt(i), root);
    if (state.token < best) best = state.token;
  }
  return best;
}

function step(from: State | null, unit: number, root: State): State {
  for (let state = from; state !== null; state = state.fall) {
    const next = state.next.get(unit);
    if (next !== undefined) return next;
  }
  return root;
}
