import { fileIdentity, toUserError } from './open.ts';

/**
 * Something open on a file that follows it: another program may delete or replace the file while we hold
 * it, and a handle on the old one would go on answering from it.
 */
export interface Followed<H> {
  /**
   * Runs `work` on the file that is there now; null when there is none.
   * @throws UserError `locked`, `damaged`, `unreadable`, `read-only` or `newer`, naming the file
   */
  use<T>(work: (handle: H) => T): T | null;
  close(): void;
}

/** @param open null when there is no file; called again whenever the path means another file */
export function followFile<H extends { close(): unknown }>(path: string, open: () => H | null): Followed<H> {
  let held: { handle: H; identity: string | null } | null = null;
  const close = (): void => {
    held?.handle.close();
    held = null;
  };
  return {
    close,
    use: (work) => {
      try {
        if (held !== null && (held.identity === null || held.identity !== fileIdentity(path))) close();
        if (held === null) {
          // Looked at before: a file that takes its place while we open is then seen at the next use.
          const identity = fileIdentity(path);
          const handle = open();
          if (handle === null) return null;
          held = { handle, identity };
        }
        return work(held.handle);
      } catch (error) {
        throw toUserError(error, path);
      }
    },
  };
}
