import { domainToASCII } from 'node:url';

/** A host pattern or an asked host in comparable form (policy page, section 3, `host`). */
export interface HostName {
  /** Lower case, IDNA; without the `*.` of a pattern. */
  name: string;
  /** null when none was written. */
  port: number | null;
  /** True for `*.example.com`. */
  subdomains: boolean;
}

// The URL parser behind domainToASCII drops tabs, decodes %41 and stops at a slash: none of these is a host.
const FOREIGN = /[\s\p{Cc}/\\?#@%:[\]*<>^|"`{}]/u;
const BRACKETED = /^\[[0-9a-fA-F:.]+\]$/;
const PORT = /^(.*):([1-9][0-9]{0,4})$/s;
/** Names that IDNA gives back as they are: no capitals, no `xn--`, and no last label that could begin a number. */
const PLAIN = /^(?:(?!xn--)[a-z0-9-]+\.)*(?!xn--)[a-z][a-z0-9-]*$/;
const IPV4 = /^[0-9.]+$/;

/**
 * @param pattern true where `*.` may lead.
 * @returns null for anything that is no host: a URL, a bare `*`, an empty label, a port out of range.
 */
export function parseHost(text: string, pattern: boolean): HostName | null {
  if (PLAIN.test(text)) return { name: text, port: null, subdomains: false };
  const cut = PORT.exec(text);
  const port = cut === null ? null : Number(cut[2]);
  if (port !== null && port > 65535) return null;
  let host = cut?.[1] ?? text;
  const subdomains = pattern && host.startsWith('*.');
  if (subdomains) host = host.slice(2);
  if (FOREIGN.test(host) && (subdomains || !BRACKETED.test(host))) return null;
  const name = domainToASCII(host);
  if (name === '' || name.split('.').includes('')) return null;
  // An address has no sub-domains.
  if (subdomains && IPV4.test(name)) return null;
  return { name, port, subdomains };
}

/** True when a grant for `granted` covers `asked`; without a port a grant covers 80 and 443, and so a bare host. */
export function hostCovered(granted: HostName, asked: HostName): boolean {
  const samePort = granted.port === null ? [null, 80, 443].includes(asked.port) : granted.port === asked.port;
  if (!samePort || asked.subdomains) return false;
  if (!granted.subdomains) return granted.name === asked.name;
  return asked.name.endsWith(`.${granted.name}`) && !IPV4.test(asked.name);
}
