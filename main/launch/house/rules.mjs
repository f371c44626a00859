import { isNode, lineAt, walk } from './source.mjs';

/** @typedef {import('./source.mjs').Source} Source */
/** @typedef {import('./source.mjs').AstNode} AstNode */
/** @typedef {{path: string, line: number, rule: string, says: string}} Fault */
/** @typedef {(source: Source, all: ReadonlyMap<string, Source>) => Iterable<{line: number, says: string}>} Check */

const LONGEST = 400;

/** Programs that start by being loaded; everything else waits to be called. */
const STARTS = new Set([
  'main/main.ts',
  'main/preload.ts',
  'main/host/browser-main.ts',
  'main/cli/main.ts',
  'main/agents/hook/main.ts',
  'main/audit/index.worker.ts',
  'main/turns/turns.worker.ts',
  'main/bench/main.ts',
  'renderer/main.tsx',
]);

const EFFECTS = new Set([
  ...['setInterval', 'setTimeout', 'setImmediate', 'fetch', 'openDatabase', 'createServer', 'createConnection'],
  ...['connect', 'listen', 'watch', 'watchFile', 'spawn', 'fork', 'exec', 'execFile'],
]);
const OPENED = new Set(['Database', 'DatabaseSync', 'Worker', 'WebSocket', 'WebSocketServer', 'Server', 'Socket']);

/** Which files may know nothing of the machine they run on (house style, "Who may import whom"). */
const PURE = /^main\/(policy\/|vaglio\/(guard|shell\/)|constitution\/laws)/;
const OUTSIDE_PURE = /\.(test|fixture|stand-in)\.ts$/;
/** Built-in modules that answer from their arguments alone. */
const PURE_MODULES = new Set(['node:url']);

/** Who may not import whom: both sides are paths from the root. */
const WALLS = [
  {
    from: /^main\/rpc\/handlers\//,
    to: /^main\/(?!rpc\/handlers\/|rpc\/[a-z-]+\.ts$|engine\/)/,
    says: 'a handler knows services, not what is behind them',
  },
  {
    from: /^main\/rpc\/transports\//,
    to: /^main\/(?!rpc\/transports\/|rpc\/[a-z-]+\.ts$|engine\/|host\/)/,
    says: 'a transport knows the router only',
  },
  { from: /^renderer\/ui\//, to: /^renderer\/(features|rpc)\//, says: 'a plain part knows no page and no engine' },
  { from: /^renderer\/charts\//, to: /^renderer\/(features|rpc)\//, says: 'a chart knows no page and no engine' },
  { from: /^(?!main\/launch\/)/, to: /^main\/launch\//, says: 'the launch scripts stand outside the program' },
];

/** @param {string} path */
const isTest = (path) => /\.test\.tsx?$/.test(path);

/** @param {string} path @returns {string | null} */
const featureOf = (path) => /^renderer\/features\/([^/]+)\//.exec(path)?.[1] ?? null;

/**
 * What runs when a module is loaded: its tree without the insides of functions.
 * @param {AstNode} program
 * @param {(node: AstNode) => void} visit
 */
function whenLoaded(program, visit) {
  walk(program, (node) => {
    if (/^(Arrow)?Function(Declaration|Expression)?/.test(node.type)) return false;
    if (node.type === 'PropertyDefinition' && node.static !== true) return false;
    visit(node);
    return true;
  });
}

/** @param {unknown} node @returns {string | null} the last name of `a.b.c` */
function calledName(node) {
  if (!isNode(node)) return null;
  if (node.type === 'Identifier') return String(node.name);
  return node.type === 'MemberExpression' && node.computed !== true ? calledName(node.property) : null;
}

/** @param {Source} source @returns {{line: number, says: string}[]} what in it depends on more than its arguments */
function impurities(source) {
  /** @type {{line: number, says: string}[]} */
  const found = [];
  for (const { specifier, typeOnly, line } of source.imports) {
    if (!typeOnly && specifier.startsWith('node:') && !PURE_MODULES.has(specifier)) {
      found.push({ line, says: `imports ${specifier}` });
    }
  }
  if (!source.program) return found;
  walk(source.program, (node) => {
    const line = () => lineAt(source.text, node.start);
    if (node.type === 'MemberExpression' && isNode(node.object) && node.object.type === 'Identifier') {
      const name = `${node.object.name}.${calledName(node.property) ?? ''}`;
      if (/^process\./.test(name) || ['Date.now', 'Math.random', 'performance.now'].includes(name)) {
        found.push({ line: line(), says: `uses ${name}` });
      }
    }
    if (
      node.type === 'NewExpression' &&
      calledName(node.callee) === 'Date' &&
      /** @type {unknown[]} */ (node.arguments).length === 0
    ) {
      found.push({ line: line(), says: 'reads the clock' });
    }
    return true;
  });
  return found;
}

/** @type {Record<string, Check>} */
export const RULES = {
  *'house/size'({ path, text }) {
    if (!/\.(ts|tsx|mjs|css)$/.test(path)) return;
    const lines = text.split('\n').length - 1;
    if (lines > LONGEST) yield { line: LONGEST, says: `${lines} lines: cut it by topic, ${LONGEST} are the most` };
  },

  *'house/names'({ path }) {
    const parts = path.split('/');
    const file = parts.pop() ?? '';
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
    if (!parts.every((part) => kebab.test(part)) || !file.split('.').every((part) => kebab.test(part))) {
      yield { line: 1, says: 'files and folders have kebab-case names' };
    }
  },

  *'house/default-export'({ path, text, program }) {
    if (!program || /\.config\.ts$|\/vitest-reporter\.mjs$/.test(path)) return;
    for (const node of /** @type {AstNode[]} */ (program.body)) {
      if (node.type === 'ExportDefaultDeclaration') {
        yield { line: lineAt(text, node.start), says: 'export it by name' };
      }
    }
  },

  *'house/barrel'({ path, text, program }) {
    if (!program) return;
    if (/\/index\.(ts|tsx|mjs)$/.test(path)) yield { line: 1, says: 'no barrels: import from the file itself' };
    for (const node of /** @type {AstNode[]} */ (program.body)) {
      if (node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source)) {
        yield { line: lineAt(text, node.start), says: 'no barrels: import from the file itself' };
      }
    }
  },

  *'house/features'({ path, imports }) {
    const own = featureOf(path);
    if (own === null) return;
    for (const { target, line } of imports) {
      const other = target && featureOf(target);
      if (other && other !== own) yield { line, says: `the feature ${own} imports the feature ${other}` };
    }
  },

  *'house/router-type'({ path, imports }) {
    if (!path.startsWith('renderer/')) return;
    for (const { target, typeOnly, line } of imports) {
      if (target?.startsWith('main/') && !(typeOnly && path.startsWith('renderer/rpc/'))) {
        yield { line, says: 'only renderer/rpc may import from main, and only the type of the router' };
      }
    }
  },

  *'house/walls'({ path, imports }) {
    if (isTest(path)) return;
    for (const { target, typeOnly, line } of imports) {
      if (target === null || typeOnly) continue;
      for (const wall of WALLS) if (wall.from.test(path) && wall.to.test(target)) yield { line, says: wall.says };
    }
  },

  *'house/pure'(source, all) {
    if (!PURE.test(source.path) || OUTSIDE_PURE.test(source.path)) return;
    yield* impurities(source);
    const seen = new Set([source.path]);
    /** @type {{target: string, line: number}[]} */
    const waiting = [];
    /** @param {Source} from @param {number | null} via */
    const follow = (from, via) => {
      for (const { target, typeOnly, line } of from.imports) {
        if (target === null || typeOnly || seen.has(target)) continue;
        seen.add(target);
        waiting.push({ target, line: via ?? line });
      }
    };
    follow(source, null);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const reached = all.get(next.target);
      // A pure file answers for itself, and for what it reaches.
      if (!reached || PURE.test(reached.path)) continue;
      for (const { says } of impurities(reached))
        yield { line: next.line, says: `reaches ${reached.path}, which ${says}` };
      follow(reached, next.line);
    }
  },

  *'house/import-effect'({ path, text, program }) {
    if (!program || STARTS.has(path) || !/^(main|renderer|shared)\//.test(path)) return;
    if (path.startsWith('main/launch/') || OUTSIDE_PURE.test(path) || isTest(path)) return;
    /** @type {{line: number, says: string}[]} */
    const found = [];
    whenLoaded(program, (node) => {
      const name = calledName(node.callee);
      if (name === null) return;
      if (node.type === 'CallExpression' ? EFFECTS.has(name) : node.type === 'NewExpression' && OPENED.has(name)) {
        found.push({ line: lineAt(text, node.start), says: `${name} runs as soon as the file is imported` });
      }
    });
    yield* found;
  },

  *'house/require'({ path, text, program }) {
    if (!program || path === 'main/launch/chromium.mjs') return;
    /** @type {number[]} */
    const found = [];
    walk(program, (node) => {
      if (node.type === 'CallExpression' && isNode(node.callee) && node.callee.type === 'Identifier') {
        if (node.callee.name === 'require' || node.callee.name === 'createRequire') found.push(node.start);
      }
      return true;
    });
    for (const start of found) yield { line: lineAt(text, start), says: 'import it: no wall sees a require' };
  },

  *'house/launch'({ path, imports }) {
    if (!/^main\/launch\/.*\.mjs$/.test(path)) return;
    for (const { specifier, target, dynamic, line } of imports) {
      if (target === null && !dynamic && !specifier.startsWith('node:')) {
        yield { line, says: `${specifier} may not be installed yet when this script starts` };
      }
    }
  },

  *'house/words'({ path, text }) {
    // Its own examples.
    if (path === 'main/launch/house/rules.test.ts') return;
    for (const { pattern, says } of WORDS) {
      for (const match of text.matchAll(pattern))
        yield { line: lineAt(text, match.index), says: `${match[0]}: ${says}` };
    }
  },
};

/** What nobody who reads the project can make sense of, or has to finish. */
const WORDS = [
  {
    pattern: /(?:\/\/|\*|#|<!--)\s*(?:TODO|FIXME|XXX|HACK)\b/g,
    says: 'finish it, or say in a sentence what is missing',
  },
  { pattern: /(?<![\w.~/*-])\/(?:work|workspace|builds?|Users)\/[\w.]/g, says: 'a path of one machine' },
  { pattern: /\b[Ii]ssues? #?\d+\b/g, says: 'say what it is, not where it was written down' },
  { pattern: /\b[Cc]olleagues?\b/g, says: 'say who, by the name of the part' },
];

/**
 * @param {ReadonlyMap<string, Source>} sources by path
 * @returns {Fault[]}
 */
export function lint(sources) {
  /** @type {Fault[]} */
  const faults = [];
  for (const source of sources.values()) {
    for (const [rule, check] of Object.entries(RULES)) {
      if (!source.program && rule !== 'house/words' && rule !== 'house/size') continue;
      for (const { line, says } of check(source, sources)) faults.push({ path: source.path, line, rule, says });
    }
  }
  return faults;
}
