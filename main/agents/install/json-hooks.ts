import { isDeepStrictEqual } from 'node:util';
import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parse,
  printParseErrorCode,
} from 'jsonc-parser';
import { UserError } from '../../engine/errors.ts';
import { type ClientSettings, type HookGroup, isOurs } from './clients.ts';
import { appended, editable, removed } from './json-edit.ts';

type Tree = Record<string, unknown>;

/** The settings as they are meant. @throws UserError `damaged` for a text that is no JSON object, with its line */
export function readJsonSettings(text: string, path: string): Tree {
  const errors: ParseError[] = [];
  const value: unknown = text.trim() === '' ? {} : parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw damaged(path, `${printParseErrorCode(first.error)} in line ${line}`);
  }
  if (!isTree(value)) throw damaged(path, 'it is no JSON object');
  return value;
}

function damaged(path: string, why: string): UserError {
  return new UserError(
    'damaged',
    `${path} cannot be read (${why}), and was left as it is. Mend it, then try again.`,
    path,
  );
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where the hooks of the event stand. @throws UserError when something else stands there */
function groupsOf(tree: Tree, { event }: ClientSettings, path: string): unknown[] {
  const hooks = tree.hooks ?? {};
  if (!isTree(hooks)) throw damaged(path, '"hooks" is no object');
  const groups = hooks[event] ?? [];
  if (!Array.isArray(groups)) throw damaged(path, `"hooks.${event}" is no list`);
  return groups;
}

function hooksOf(group: unknown): unknown[] {
  return isTree(group) && Array.isArray(group.hooks) ? group.hooks : [];
}

interface Found {
  group: number;
  hook: number;
  entry: unknown;
  matcher: unknown;
}

/** Our hooks in the settings; several when somebody copied one. */
export function ourHooks(tree: Tree, client: ClientSettings, path: string): Found[] {
  return groupsOf(tree, client, path).flatMap((one, group) =>
    hooksOf(one).flatMap((entry, hook) =>
      isOurs(entry, client.name) ? [{ group, hook, entry, matcher: (one as Tree).matcher }] : [],
    ),
  );
}

/**
 * The settings with our hook in them, once; all else stays, comments and order too.
 *
 * @throws UserError for settings that cannot be read, or where the edit would change something else
 */
export function withHook(text: string, client: ClientSettings, group: HookGroup, path: string): string {
  const tree = readJsonSettings(text, path);
  const [hook] = group.hooks;
  const [only, ...others] = ourHooks(tree, client, path);
  if (only !== undefined && others.length === 0 && isDeepStrictEqual(only.entry, hook)) {
    if (only.matcher === group.matcher) return text;
  }
  const clean = only === undefined ? text : withoutHook(text, client, path);
  const before = readJsonSettings(clean, path);
  const groups = groupsOf(before, client, path);
  const wanted = structuredClone(before);
  wanted.hooks = { ...(wanted.hooks as Tree | undefined), [client.event]: [...groups, group] };
  return checked(added(clean, client.event, group), wanted, path);
}

/** One more group in the list of the event, which is made where there is none. */
function added(text: string, event: string, group: HookGroup): string {
  const edit = editable(text.trim() === '' ? '{}\n' : text);
  const { root } = edit;
  const list = findNodeAtLocation(root, ['hooks', event]);
  if (list !== undefined) return appended(edit, list, null, group);
  const hooks = findNodeAtLocation(root, ['hooks']);
  if (hooks !== undefined) return appended(edit, hooks, event, [group]);
  return appended(edit, root, 'hooks', { [event]: [group] });
}

/** Without what stands there; `at` is known to be there. */
function without(text: string, at: JSONPath): string {
  const edit = editable(text);
  const value = findNodeAtLocation(edit.root, at);
  // In an object the member is key and value together.
  const member = value?.parent?.type === 'property' ? value.parent : value;
  const container: Node | undefined = member?.parent;
  return member === undefined || container === undefined ? text : removed(edit, container, member);
}

/** The settings without our hook, and without what was there for it alone. @throws UserError as `withHook` */
export function withoutHook(text: string, client: ClientSettings, path: string): string {
  let left = text;
  for (;;) {
    const tree = readJsonSettings(left, path);
    const found = ourHooks(tree, client, path).at(-1);
    if (found === undefined) return left;
    const groups = groupsOf(tree, client, path);
    const wanted = structuredClone(tree);
    const hooks = wanted.hooks as Record<string, unknown>;
    let at: JSONPath = ['hooks', client.event, found.group, 'hooks', found.hook];
    if (hooksOf(groups[found.group]).length > 1) {
      ((hooks[client.event] as unknown[])[found.group] as { hooks: unknown[] }).hooks.splice(found.hook, 1);
    } else if (groups.length > 1) {
      at = ['hooks', client.event, found.group];
      (hooks[client.event] as unknown[]).splice(found.group, 1);
    } else if (Object.keys(hooks).length > 1) {
      at = ['hooks', client.event];
      delete hooks[client.event];
    } else {
      at = ['hooks'];
      delete wanted.hooks;
    }
    left = checked(without(left, at), wanted, path);
  }
}

/** What came out has to be what was meant: two keys of one name, for example, would make it something else. */
function checked(edited: string, wanted: Tree, path: string): string {
  if (isDeepStrictEqual(readJsonSettings(edited, path), wanted)) return edited;
  throw damaged(path, 'it holds one key twice');
}
