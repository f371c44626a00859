import { parseHost } from '../policy/host.ts';

/** What the args of a step name (pipeline page): paths, hosts, a command, recipients. Pure. */
export interface ArgTargets {
  /** Paths and globs, each with the key it stands under. */
  paths: { key: string; path: string }[];
  hosts: string[];
  command: string | null;
  recipients: string[];
  /** Mailboxes and calendars. */
  names: string[];
  /** A key that has to name a target holds something that names none; its name. */
  unreadable: string | null;
  /** A list of an earlier step is used, which is not here to be looked at. */
  fromEarlierStep: boolean;
}

const PATH_KEYS: ReadonlySet<string> = new Set([
  ...['path', 'paths', 'file', 'files', 'file_path', 'filepath', 'file_paths', 'filename', 'notebook_path'],
  ...['base_path', 'root', 'dir', 'dirs', 'directory', 'folder', 'folders', 'cwd', 'glob', 'globs'],
  ...['src', 'source', 'sources', 'dst', 'dest', 'destination', 'dst_template', 'output', 'output_path', 'output_dir'],
  ...['target_path', 'save_to', 'archive'],
]);
const URL_KEYS: ReadonlySet<string> = new Set(['url', 'urls', 'uri', 'href', 'link', 'links', 'endpoint', 'base_url']);
const HOST_KEYS: ReadonlySet<string> = new Set(['host', 'hosts', 'hostname', 'domain']);
/** The guard's structural layer reads a command under the same keys. */
const COMMAND_KEYS: ReadonlySet<string> = new Set([
  ...['command', 'cmd', 'script', 'shell', 'bash', 'sh', 'exec'],
  ...['command_line', 'commandline', 'shell_command', 'shellcommand'],
]);
const RECIPIENT_KEYS: ReadonlySet<string> = new Set(['to', 'cc', 'bcc', 'recipient', 'recipients', 'chat_id']);
const NAME_KEYS: ReadonlySet<string> = new Set(['mailbox', 'account', 'calendar', 'calendars', 'calendar_id']);
/** Text to be written, sent or searched for; what looks like a path in it names no target. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  ...['content', 'text', 'body', 'subject', 'message', 'html', 'data', 'query', 'pattern', 'regex', 'old_string'],
  ...['new_string', 'prompt', 'description', 'title', 'encoding', 'mode', 'format', 'name', 'affinity'],
]);
/** What a key says of its value. */
type KeyKind = 'command' | 'entries' | 'path' | 'url' | 'host' | 'recipient' | 'name' | 'from-step' | 'text';
/** In the order in which a key that stands in two lists is taken: the first counts. */
const KINDS: ReadonlyMap<string, KeyKind> = new Map(
  (
    [
      ['from-step', ['from_step']],
      ['command', COMMAND_KEYS],
      ['entries', ['entries']],
      ['path', PATH_KEYS],
      ['url', URL_KEYS],
      ['host', HOST_KEYS],
      ['recipient', RECIPIENT_KEYS],
      ['name', NAME_KEYS],
      ['text', TEXT_KEYS],
    ] as const
  )
    .flatMap(([kind, keys]) => [...keys].map((key) => [key, kind] as const))
    .reverse(),
);
const LONGEST_PATH = 4096;
/** Targets are not hidden deeper; what is, is refused. */
const MAX_DEPTH = 16;
/** Any of these at the start of an argument under an unknown key makes it a path. */
const LOOKS_LIKE_PATH = /^(\/|~\/|~$|\.\.?\/)/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** @param options.fileKeys `from` and `to` are paths, as for moving and copying */
export function argTargets(args: Record<string, unknown>, options: { fileKeys: boolean }): ArgTargets {
  const found: ArgTargets = {
    paths: [],
    hosts: [],
    command: null,
    recipients: [],
    names: [],
    unreadable: null,
    fromEarlierStep: false,
  };
  for (const key of Object.keys(args)) take(found, key, args[key], options.fileKeys, 1);
  return found;
}

function take(found: ArgTargets, key: string, value: unknown, fileKeys: boolean, depth: number): void {
  const name = key.toLowerCase();
  if (value === null || value === undefined) return;
  const kind = fileKeys && (name === 'from' || name === 'to') ? 'path' : KINDS.get(name);
  switch (kind) {
    case 'from-step':
      found.fromEarlierStep = true;
      return;
    case 'command':
      takeCommand(found, key, value);
      return;
    case 'entries':
      takeEntries(found, key, value);
      return;
    case 'path':
      each(found, key, value, (path) => found.paths.push({ key, path }));
      return;
    case 'url':
      each(found, key, value, (url) => takeUrl(found, key, url));
      return;
    case 'host':
      each(found, key, value, (host) => takeHost(found, key, host));
      return;
    case 'recipient':
      each(found, key, value, (recipient) => found.recipients.push(recipient));
      return;
    case 'name':
      each(found, key, value, (text) => found.names.push(text));
      return;
    case 'text':
      return;
    case undefined:
      takeUnknown(found, key, value, fileKeys, depth);
      return;
    default:
      kind satisfies never;
  }
}

/** A string, or a list of strings; anything else, or an empty one, names nothing. */
function each(found: ArgTargets, key: string, value: unknown, use: (text: string) => void): void {
  const list = Array.isArray(value) ? value : [value];
  for (const item of list) {
    if (typeof item === 'string' && item !== '') use(item);
    else if (typeof item === 'number' && RECIPIENT_KEYS.has(key.toLowerCase())) use(String(item));
    else found.unreadable ??= key;
  }
}

function takeCommand(found: ArgTargets, key: string, value: unknown): void {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || !list.every((item) => typeof item === 'string') || list.join('') === '') {
    found.unreadable ??= key;
    return;
  }
  const text = list.join(' ');
  found.command = found.command === null ? text : `${found.command}\n${text}`;
}

/** Records with a `path`, as an earlier step hands them on. */
function takeEntries(found: ArgTargets, key: string, value: unknown): void {
  if (!Array.isArray(value)) {
    found.unreadable ??= key;
    return;
  }
  for (const entry of value) {
    const path: unknown = typeof entry === 'object' && entry !== null ? (entry as { path?: unknown }).path : entry;
    if (typeof path === 'string' && path !== '') found.paths.push({ key, path });
    else found.unreadable ??= key;
  }
}

function takeUrl(found: ArgTargets, key: string, text: string): void {
  const host = hostOfUrl(text);
  if (host === null) found.unreadable ??= key;
  else found.hosts.push(host);
}

function takeHost(found: ArgTargets, key: string, text: string): void {
  if (SCHEME.test(text)) takeUrl(found, key, text);
  else if (parseHost(text, false) === null) found.unreadable ??= key;
  else found.hosts.push(text);
}

/** Under a key that nobody knows, only what can be nothing else counts; objects are read like the args themselves. */
function takeUnknown(found: ArgTargets, key: string, value: unknown, fileKeys: boolean, depth: number): void {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item === 'object' && item !== null) {
      if (depth >= MAX_DEPTH) found.unreadable ??= key;
      else if (Array.isArray(item)) takeUnknown(found, key, item, fileKeys, depth + 1);
      else {
        for (const inner of Object.keys(item)) {
          take(found, inner, (item as Record<string, unknown>)[inner], fileKeys, depth + 1);
        }
      }
    } else if (typeof item === 'string' && item.length <= LONGEST_PATH) {
      // Many programs cut white space off.
      const bare = item.trim();
      if (bare.includes('\n')) continue;
      if (bare.includes('://') && SCHEME.test(bare)) takeUrl(found, key, bare);
      else if (LOOKS_LIKE_PATH.test(bare)) found.paths.push({ key, path: bare });
    }
  }
}

/** `host` or `host:port` of an HTTP(S) address, as the policy compares hosts; null for any other text. */
export function hostOfUrl(text: string): string | null {
  try {
    const url = new URL(SCHEME.test(text) ? text : `https://${text}`);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
    if (url.hostname === '') return null;
    return url.port === '' ? url.hostname : `${url.hostname}:${url.port}`;
  } catch {
    return null;
  }
}
