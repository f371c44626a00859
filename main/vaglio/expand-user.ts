/** Home folder of a user of this machine, or null when there is no such user. */
export type PasswdLookup = (user: string) => string | null;

/** Why a value cannot be judged; part of the reason, never the value itself. */
export type Unreadable = 'nul' | 'surrogate' | 'depth' | 'type' | 'size' | 'accessor' | 'exception';

/** Half of a pair that stands alone. Python can write U+DC80 to U+DCFF in a file name, but no other. */
const UNENCODABLE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udc7f\udd00-\udfff]/;

/** The user name of a leading `~user`, `''` for the caller's own `~`, null without a leading `~`. */
function leadingUser(value: string): string | null {
  if (!value.startsWith('~')) return null;
  const slash = value.indexOf('/', 1);
  return slash < 0 ? value.slice(1) : value.slice(1, slash);
}

/** Why `value` cannot be expanded (the original raises there), or null. */
export function unreadableUser(value: string): Unreadable | null {
  const user = leadingUser(value);
  if (user === null || user === '') return null;
  if (UNENCODABLE.test(user)) return 'surrogate';
  return user.includes('\0') ? 'nul' : null;
}

/**
 * A leading `~` or `~user` replaced as `os.path.expanduser` does; an unknown user stays as it is.
 * @param home the caller's home folder; trailing slashes do not count, empty stands for `/`
 */
export function expandUser(value: string, home: string, passwd: PasswdLookup): string {
  const user = leadingUser(value);
  if (user === null) return value;
  const folder = user === '' ? home : passwd(user);
  if (folder === null) return value;
  let end = folder.length;
  while (end > 0 && folder.charCodeAt(end - 1) === 0x2f) end--;
  return folder.slice(0, end) + value.slice(user.length + 1) || '/';
}
