import { readFileSync } from 'node:fs';
import type { PasswdLookup } from './expand-user.ts';

/** @param text a passwd file: `name:password:uid:gid:comment:home:shell` a line; the first line of a name counts */
export function parsePasswd(text: string): PasswdLookup {
  const homes = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [name = '', , , , , home] = line.split(':');
    if (name !== '' && !/^[#+-]/.test(name) && home !== undefined && !homes.has(name)) homes.set(name, home);
  }
  return (user) => homes.get(user) ?? null;
}

/**
 * The machine's users, read once. Where there is no such file (Windows) nobody is known: `~user` then stays as it is.
 * @throws Error when the file is there and cannot be read
 */
export function readPasswd(file = '/etc/passwd'): PasswdLookup {
  try {
    return parsePasswd(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return () => null;
    throw error;
  }
}
