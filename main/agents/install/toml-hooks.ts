import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { UserError } from '../../engine/errors.ts';
import { type ClientSettings, type HookGroup, isOurs } from './clients.ts';

type Tree = Record<string, unknown>;

const BEGIN = '# vaglio: begin';
const END = '# vaglio: end';
const BLOCK = /\n?# vaglio: begin\n[\s\S]*?# vaglio: end\n?/g;

/** @throws UserError `damaged` for a text that is no TOML, with its line */
export function readTomlSettings(text: string, path: string): Tree {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    const where = error instanceof TomlError ? `line ${error.line}` : 'somewhere';
    throw refused(path, `there is a fault in ${where}`);
  }
}

function refused(path: string, why: string): UserError {
  return new UserError(
    'damaged',
    `${path} cannot be edited (${why}), and was left as it is. Mend it, then try again.`,
    path,
  );
}

function groupsOf(tree: Tree, { event }: ClientSettings): unknown[] {
  const hooks = tree.hooks as Tree | undefined;
  const groups = hooks?.[event];
  return Array.isArray(groups) ? groups : [];
}

/** Our hooks in the settings. */
export function ourTomlHooks(tree: Tree, client: ClientSettings): unknown[] {
  return groupsOf(tree, client).flatMap((group) => {
    const hooks = (group as Tree | null)?.hooks;
    return Array.isArray(hooks) ? hooks.filter((hook) => isOurs(hook, client.name)) : [];
  });
}

function text(value: unknown): string {
  return JSON.stringify(value);
}

function blockOf({ event }: ClientSettings, { hooks: [hook] }: HookGroup): string {
  const lines = Object.entries(hook).map(([key, value]) => `${key} = ${text(value)}`);
  return [BEGIN, `[[hooks.${event}]]`, `[[hooks.${event}.hooks]]`, ...lines, END, ''].join('\n');
}

/**
 * The settings with our hook in a block of its own at their end; not a byte before it changes.
 *
 * @throws UserError when they cannot be read, or hooks stand there in a form that nothing can be added to
 */
export function withTomlHook(given: string, client: ClientSettings, group: HookGroup, path: string): string {
  const before = readTomlSettings(given, path);
  const [hook] = group.hooks;
  const ours = ourTomlHooks(before, client);
  if (ours.length === 1 && isDeepStrictEqual({ ...(ours[0] as Tree) }, hook)) return given;
  const clean = withoutTomlHook(given, client, path);
  const base = clean === '' || clean.endsWith('\n') ? clean : `${clean}\n`;
  const edited = `${base}${base === '' ? '' : '\n'}${blockOf(client, group)}`;
  const tree = readTomlSettings(clean, path);
  const wanted = { ...tree, hooks: { ...(tree.hooks as Tree), [client.event]: [...groupsOf(tree, client), group] } };
  return checked(edited, wanted, path);
}

/** The settings without our block. @throws UserError where our hook stands outside of it */
export function withoutTomlHook(given: string, client: ClientSettings, path: string): string {
  const before = readTomlSettings(given, path);
  if (ourTomlHooks(before, client).length === 0) return given;
  const edited = given.replace(BLOCK, '');
  const tree = readTomlSettings(edited, path);
  if (ourTomlHooks(tree, client).length > 0) throw refused(path, 'somebody else wrote the hook there');
  const groups = groupsOf(before, client).filter(
    (group) => !((group as Tree).hooks as unknown[] | undefined)?.some((hook) => isOurs(hook, client.name)),
  );
  const hooks: Tree = { ...(before.hooks as Tree), [client.event]: groups };
  if (groups.length === 0) delete hooks[client.event];
  const wanted: Tree = { ...before, hooks };
  if (Object.keys(hooks).length === 0 && tree.hooks === undefined) delete wanted.hooks;
  return checked(edited, wanted, path);
}

function checked(edited: string, wanted: Tree, path: string): string {
  let tree: Tree | null = null;
  try {
    tree = readTomlSettings(edited, path);
  } catch {
    // The text before it could be read: it is the addition that does not fit.
  }
  if (tree !== null && isDeepStrictEqual(plain(tree), plain(wanted))) return edited;
  throw refused(path, 'its hooks have a form that nothing can be added to');
}

function plain(tree: Tree): unknown {
  return JSON.parse(JSON.stringify(tree, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
}
