import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../engine/errors.ts';

/** What a client starts for every call; absolute, so that neither npm nor a search path is needed. */
export interface HookCommand {
  node: string;
  /** The hook's program. */
  script: string;
}

/** A client that has a shell start the hook is told the failure of the start itself as a denial. */
const LAST_WORDS = 'Vaglio: the hook could not be started, so the call is denied. Run vaglio doctor.';

/**
 * @param env as `process.env`; its PATH is searched where this process is no Node that runs scripts
 * @throws UserError `not-found` when there is no Node, or no bundle of the hook
 */
export function findHookCommand(env: Readonly<Record<string, string | undefined>>): HookCommand {
  const script = hookScript();
  if (!existsSync(script)) {
    throw new UserError('not-found', `There is no ${script}. Run \`npm run build\`, then try again.`, script);
  }
  return { node: findNode(env), script };
}

/** Bundles may put this module into a folder of shared parts, one below the entries. */
function hookScript(): string {
  if (import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('../hook/main.ts', import.meta.url));
  const beside = fileURLToPath(new URL('./hook.cjs', import.meta.url));
  const found = existsSync(beside) ? beside : fileURLToPath(new URL('../hook.cjs', import.meta.url));
  // Only Electron's own programs see into the archive.
  return found.replace(/([\\/]app\.asar)([\\/])/, '$1.unpacked$2');
}

function findNode(env: Readonly<Record<string, string | undefined>>): string {
  if (process.versions.electron === undefined) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && isExecutable(path)) return path;
  }
  throw new UserError(
    'not-found',
    'Agents start the hook with Node, and there is none here. Install Node 22 or newer.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The command line for a client that has a shell start it. Whatever the failure of the start, it ends with 2 and a text:
 * any other code would let the call run.
 */
export function shellLine({ node, script }: HookCommand, client: string): string {
  if (process.platform === 'win32') return `"${node}" "${script}" ${client}`;
  return `${quoted(node)} ${quoted(script)} ${client} || { echo ${quoted(LAST_WORDS)} >&2; exit 2; }`;
}

const OURS = /(?:^|[\\/'"\s])(?:hook\.cjs|hook[\\/]main\.ts|vaglio(?:\.mjs)?['"]?\s+hook)['"]?\s+['"]?([a-z-]+)/;

/** Whether a client's entry starts our hook for it. @param words of the command line */
export function isOurHook(words: readonly unknown[], client: string): boolean {
  const text = words.filter((word) => typeof word === 'string').join(' ');
  return OURS.exec(text)?.[1] === client;
}
