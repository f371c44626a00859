import { createHash, randomBytes } from 'node:crypto';

/** A person may ask for a link a few times before one is used; the oldest of more than this fall away. */
const MAX_OPEN_LINKS = 16;
const MAX_SESSIONS = 64;

/** One-time links and the sessions they become (platform page, "Two hosts, one panel"). */
export interface Sessions {
  cookieName: string;
  /** A new token for one link. */
  newToken(): string;
  /** Uses a token up; the `Set-Cookie` value of the new session, or null for a wrong or used token. */
  redeem(token: string): string | null;
  /** @param header the request's `Cookie` header */
  isSession(header: string | undefined): boolean;
}

/** Looked up by digest, so that the time of a look-up says nothing about a token. */
function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function addBounded(set: Set<string>, entry: string, most: number): void {
  set.add(entry);
  const oldest = set.values().next().value;
  if (set.size > most && oldest !== undefined) set.delete(oldest);
}

/** @param port goes into the cookie's name, because a browser does not tell ports apart */
export function createSessions(port: number): Sessions {
  const cookieName = `vaglio-${port}`;
  const tokens = new Set<string>();
  const sessions = new Set<string>();
  return {
    cookieName,
    newToken: () => {
      const token = randomBytes(32).toString('base64url');
      addBounded(tokens, digest(token), MAX_OPEN_LINKS);
      return token;
    },
    redeem: (token) => {
      if (!tokens.delete(digest(token))) return null;
      const session = randomBytes(32).toString('base64url');
      addBounded(sessions, digest(session), MAX_SESSIONS);
      return `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`;
    },
    isSession: (header) =>
      (header ?? '').split(';').some((pair) => {
        const [name, value] = pair.trim().split('=', 2);
        return name === cookieName && value !== undefined && sessions.has(digest(value));
      }),
  };
}
