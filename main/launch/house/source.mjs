import { posix } from 'node:path';

/**
 * One source file as the house rules see it. Paths are from the root, with slashes.
 * @typedef {{specifier: string, target: string | null, typeOnly: boolean, dynamic: boolean, line: number}} Import
 *   `target` is the file a relative specifier names, null for a package
 * @typedef {{path: string, text: string, imports: Import[], program: AstNode | null}} Source
 * @typedef {{type: string, start: number, end: number} & Record<string, unknown>} AstNode
 */

/** @param {string} text @param {number} offset @returns {number} counted from 1 */
export function lineAt(text, offset) {
  let line = 1;
  for (let index = text.indexOf('\n'); index !== -1 && index < offset; index = text.indexOf('\n', index + 1)) line += 1;
  return line;
}

/** @param {unknown} value @returns {value is AstNode} */
export function isNode(value) {
  return (
    typeof value === 'object' && value !== null && typeof (/** @type {{type?: unknown}} */ (value).type) === 'string'
  );
}

/**
 * Visits a tree from the outside in.
 * @param {AstNode} node
 * @param {(node: AstNode) => boolean} visit false: do not go into this one
 */
export function walk(node, visit) {
  if (!visit(node)) return;
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) walk(item, visit);
    } else if (isNode(value)) walk(value, visit);
  }
}

/** @param {string} from @param {string} specifier */
function resolve(from, specifier) {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;
}

/**
 * @param {string} path
 * @param {string} text
 * @param {typeof import('vite').parseSync} parse
 * @returns {Source}
 */
export function readSource(path, text, parse) {
  if (!/\.(ts|tsx|mjs)$/.test(path)) return { path, text, imports: [], program: null };
  const parsed = parse(path, text);
  /** @type {Import[]} */
  const imports = [];
  /** @param {string} specifier @param {number} start @param {boolean} typeOnly @param {boolean} dynamic */
  const add = (specifier, start, typeOnly, dynamic) =>
    imports.push({ specifier, target: resolve(path, specifier), typeOnly, dynamic, line: lineAt(text, start) });
  for (const { moduleRequest, entries, start } of parsed.module.staticImports) {
    add(moduleRequest.value, start, entries.length > 0 && entries.every((entry) => entry.isType), false);
  }
  for (const { entries, start } of parsed.module.staticExports) {
    const [first] = entries;
    if (first?.moduleRequest)
      add(
        first.moduleRequest.value,
        start,
        entries.every((entry) => entry.isType),
        false,
      );
  }
  for (const { moduleRequest, start } of parsed.module.dynamicImports) {
    const written = text.slice(moduleRequest.start, moduleRequest.end);
    if (/^(['"]).*\1$/.test(written)) add(written.slice(1, -1), start, false, true);
  }
  return { path, text, imports, program: /** @type {AstNode} */ (/** @type {unknown} */ (parsed.program)) };
}
