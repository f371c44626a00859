/**
 * What a schema may cost, known before it is compiled: a short hostile schema can take longer than the age of the
 * world (each `$ref` twice, twenty levels deep). Pure.
 */
const LARGEST_TEXT = 256 * 1024;
const MOST_NODES = 10_000;
const MAX_DEPTH = 100;
/** Nodes of the schema times nodes of the args. */
const MOST_WORK = 20_000_000;

/** Words that ask for another document, or for an answer that comes later. */
const REFUSED = ['$dynamicRef', '$recursiveRef', '$async', '$anchor', '$dynamicAnchor'] as const;

export function isSmallEnough(text: string): boolean {
  return text.length <= LARGEST_TEXT;
}

/**
 * Nodes with every reference written out.
 * @throws Error that says why the schema is refused
 */
export function schemaSize(schema: Record<string, unknown>): number {
  const sizes = new Map<string, number>();
  const open = new Set<string>();

  const referred = (pointer: string): number => {
    const known = sizes.get(pointer);
    if (known !== undefined) return known;
    if (open.has(pointer) || pointer === '#') throw new Error('it refers to itself');
    open.add(pointer);
    const size = count(lookUp(schema, pointer), 1);
    open.delete(pointer);
    sizes.set(pointer, size);
    return size;
  };
  const count = (node: unknown, depth: number): number => {
    if (depth > MAX_DEPTH) throw new Error('it is nested too deeply');
    if (typeof node !== 'object' || node === null) return 1;
    let size = 1;
    if (!Array.isArray(node)) {
      const words = node as Record<string, unknown>;
      for (const word of REFUSED) {
        if (Object.hasOwn(words, word) && typeof words[word] !== 'object') throw new Error(`${word} is not read`);
      }
      if (depth > 1 && typeof words.$id === 'string') throw new Error('$id inside it is not read');
      if (Object.hasOwn(words, '$ref') && typeof words.$ref === 'string') size += referred(words.$ref);
    }
    for (const inner of Object.values(node)) {
      size += count(inner, depth + 1);
      if (size > MOST_NODES) throw new Error('it is too large');
    }
    if (size > MOST_NODES) throw new Error('it is too large');
    return size;
  };
  return count(schema, 1);
}

function lookUp(schema: Record<string, unknown>, pointer: string): unknown {
  if (!pointer.startsWith('#/')) throw new Error('it refers to another document');
  let at: unknown = schema;
  for (const part of pointer.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) throw new Error('it refers to nothing');
    at = (at as Record<string, unknown>)[key];
  }
  // What is found may lie around the reference: then it comes back to it, and that is noticed there.
  return at;
}

/** False when the args are too many for a schema of that size. */
export function worthOfData(args: unknown, schemaNodes: number): boolean {
  let left = MOST_WORK / schemaNodes;
  const open: unknown[] = [args];
  for (let node = open.pop(); open.length > 0 || node !== undefined; node = open.pop()) {
    left -= 1;
    if (left < 0) return false;
    if (typeof node === 'object' && node !== null) for (const inner of Object.values(node)) open.push(inner ?? 0);
  }
  return true;
}
