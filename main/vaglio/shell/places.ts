import { globMatches, isEverything, literalCount } from './glob.ts';
import { FOREIGN, hasHole, isGlob, isSymbolic, STAR } from './symbols.ts';

/** How sure it is that a path means a listed one. */
export type Sureness = 'no' | 'maybe' | 'yes';

/**
 * Compares one segment with a name. A glob counts when it has a fixed length or enough of the name to
 * mean nothing else; a bare `*` means everything and so nothing listed.
 */
function segmentIs(segment: string, name: string): Sureness {
  if (segment === name) return 'yes';
  if (!isGlob(segment) || isEverything(segment)) return 'no';
  if (!globMatches(segment, name)) return 'no';
  if (!segment.includes(STAR)) return 'yes';
  const literals = literalCount(segment);
  return literals >= 2 ? 'yes' : literals === 1 ? 'maybe' : 'no';
}

function stronger(a: Sureness, b: Sureness): Sureness {
  return a === 'yes' || b === 'yes' ? 'yes' : a === 'maybe' || b === 'maybe' ? 'maybe' : 'no';
}

function both(a: Sureness, b: Sureness): Sureness {
  return a === 'no' || b === 'no' ? 'no' : a === 'maybe' || b === 'maybe' ? 'maybe' : 'yes';
}

/** `passwd-`, `shadow.bak`, `sudoers.d`: the core's pattern has no end, so the start is enough. */
function startsWithName(segment: string, names: readonly string[]): Sureness {
  let best: Sureness = 'no';
  for (const name of names) {
    if (segment.startsWith(name)) return 'yes';
    best = stronger(best, segmentIs(segment, name));
  }
  return best;
}

const ACCOUNTS = ['passwd', 'shadow', 'sudoers'] as const;
const KEY_FILE = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/;
/** What /proc/PID offers that is as good as the listed /proc/NUMBER. */
const PROC_PRIVATE = new Set(['environ', 'mem', 'auxv', 'map_files', 'stack']);

/** Each of them begins a segment or is one, unless a symbol stands for a part of it. */
const MAY_BE_SECRET = /(?:^|\/)\.(?:ssh|gnupg|aws|config)(?:\/|$)|^\/(?:etc|root|boot|sys|proc)(?:\/|$)/i;

/**
 * Is this canonical path one of the eleven listed places (vaglio page, section 2), the disks left out?
 * Case is folded: on a case-insensitive disk it is the same file, elsewhere it is suspicious enough.
 */
export function secretAt(path: string, home: string): Sureness {
  if (!MAY_BE_SECRET.test(path) && !isSymbolic(path)) return 'no';
  return secretBySegments(path, home);
}

/** The whole answer, which `secretAt` looks for only where it may be another than no. */
export function secretBySegments(path: string, home: string): Sureness {
  if (path.startsWith(FOREIGN)) return 'no';
  const segments = path.toLowerCase().split('/');
  let found: Sureness = 'no';
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] ?? '';
    const next = segments[i + 1];
    if (segment === '') continue;
    found = stronger(found, segmentIs(segment, '.ssh'));
    found = stronger(found, segmentIs(segment, '.gnupg'));
    if (next !== undefined) {
      const aws = segmentIs(segment, '.aws');
      if (aws !== 'no') {
        const file = isEverything(next) || next.startsWith('credentials') ? 'yes' : segmentIs(next, 'credentials');
        found = stronger(found, both(aws, file));
      }
      const after = segments[i + 2];
      if (after !== undefined && segmentIs(segment, '.config') !== 'no') {
        found = stronger(found, segmentIs(after, 'credentials.env'));
      }
    }
    if (found === 'yes') return found;
  }
  // A key of a usual name that a search turns up somewhere.
  if (hasHole(path) && KEY_FILE.test(segments[segments.length - 1] ?? '')) found = stronger(found, 'maybe');
  if (segments[0] !== '') return found;
  const top = segments[1] ?? '';
  const second = segments[2];
  if (second !== undefined) {
    const etc = segmentIs(top, 'etc');
    if (etc !== 'no')
      found = stronger(found, both(etc, stronger(startsWithName(second, ACCOUNTS), segmentIs(second, 'ssh'))));
  }
  if (!(home === '/root' || home.startsWith('/root/'))) found = stronger(found, wholeName(top, 'root'));
  found = stronger(found, wholeName(top, 'boot'));
  found = stronger(found, wholeName(top, 'sys'));
  if (top === 'proc') found = stronger(found, procSecret(second, segments[3]));
  return found;
}

/** Short names at the root are only met by a glob that leaves no doubt. */
function wholeName(segment: string, name: string): Sureness {
  if (segment === name) return 'yes';
  return isGlob(segment) && segment.includes(name.slice(0, 2)) ? segmentIs(segment, name) : 'no';
}

function procSecret(process: string | undefined, file: string | undefined): Sureness {
  if (process === undefined) return 'yes';
  if (/^[0-9]/.test(process)) return 'yes';
  const some = process === 'self' || process === 'thread-self' || hasHole(process) || isGlob(process);
  return some && file !== undefined && PROC_PRIVATE.has(file) ? 'yes' : 'no';
}

/** Folders whose contents hold a listed file, for tools that take whole trees. */
export function holdsSecrets(path: string): boolean {
  return /\/\.aws$/i.test(path);
}

const DISK =
  /^\/dev\/(?:r?disk|sd[a-z\uE000-\uE004]|hd[a-z]|vd[a-z]|xvd|nvme|mmcblk|loop[0-9]|mapper\/|dm-|md[0-9/]|sr[0-9]|nbd|zram|mtd|dasd|pmem|bcache|drbd|fd[0-9]$|ram[0-9]|block\/|mem$|kmem$|port$|nst?[0-9]|sg[0-9]|vg|cdrom|dvd|usb_?d|ubi|zvol|root$)/i;
const NO_DISK =
  /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd(?:\/|$)|tty|pts|ptmx|console|shm|mqueue|hugepages|net|tcp\/|udp\/|input|snd|dri|video|kvm|fuse|rtc|kmsg|log|lp|usb\/|bus\/|i2c|spi|gpio|hidraw|uinput|loop-control|vhost|vfio|dsp|audio|midi|ashmem|binder|cpu|watchdog|uhid|rfkill|char|cuse|hpet|vcs|autofs)/i;

/** A disk, a partition, a volume or raw memory that is known by its name. */
export function isDisk(path: string): boolean {
  // A folder of its own below /dev is a volume group.
  return path.startsWith('/dev/') && (DISK.test(path) || (/^\/dev\/[^/]+\/[^/]+/.test(path) && !NO_DISK.test(path)));
}

/** Anything below /dev that is not a known harmless device. */
export function isSomeDevice(path: string): boolean {
  return path.startsWith('/dev/') && path.length > 5 && !NO_DISK.test(path);
}

const SYSTEM = new Set(
  (
    'bin boot dev etc home lib lib32 lib64 libx32 media mnt opt private proc root sbin srv sys usr var ' +
    'users system library applications volumes cores nix gnu windows'
  ).split(' '),
);
const SYSTEM_DEEPER = new Set(
  (
    'usr/bin usr/sbin usr/lib usr/lib64 usr/lib32 usr/libexec usr/share usr/include var/lib var/root var/db ' +
    'etc/systemd etc/pam.d system/library library/launchdaemons windows/system32'
  ).split(' '),
);
const PERSONAL = new Set(
  (
    'documents desktop downloads pictures photos music videos movies public templates library dropbox onedrive ' +
    'documenti scrivania scaricati immagini musica video filmati pubblici modelli ' +
    '.config .local .local/share .local/state .mozilla .thunderbird .password-store .kube .aws .docker'
  ).split(' '),
);

export type Loss = 'root' | 'home' | 'system' | 'personal';

function meets(segment: string, names: ReadonlySet<string>): boolean {
  if (names.has(segment)) return true;
  if (!isGlob(segment) || literalCount(segment) === 0) return false;
  for (const name of names) if (globMatches(segment, name)) return true;
  return false;
}

/** What a recursive deletion of this canonical path would lose, when that is not a scoped thing. */
export function lossAt(path: string, home: string): Loss | null {
  if (!path.startsWith('/')) return null;
  let segments = path.toLowerCase().split('/').slice(1);
  while (segments.length > 0 && isEverything(segments[segments.length - 1] ?? '')) segments = segments.slice(0, -1);
  if (segments.length === 0 || segments[0] === '') return 'root';
  const plain = `/${segments.join('/')}`;
  const own = home.toLowerCase();
  if (plain === own || own.startsWith(`${plain}/`))
    return segments.length === 1 && SYSTEM.has(segments[0] ?? '') ? 'system' : 'home';
  const top = segments[0] ?? '';
  if (segments.length === 1) return meets(top, SYSTEM) ? 'system' : null;
  const people = top === 'home' || top === 'users';
  if (people && segments.length === 2 && segments[1] !== 'shared') return 'home';
  if (segments.length === 2 && SYSTEM_DEEPER.has(`${top}/${segments[1]}`)) return 'system';
  let inside: string | null = null;
  if (plain.startsWith(`${own}/`)) inside = plain.slice(own.length + 1);
  else if (people) inside = segments.slice(2).join('/');
  if (inside === null) return null;
  return meets(inside, PERSONAL) || /^my [^/]+$/.test(inside) ? 'personal' : null;
}

const SYSTEM_TREE = /^\/(?:etc|usr|bin|sbin|lib|lib32|lib64|boot|var|opt|srv|system|library|applications|windows)\//i;

/** Below a tree that belongs to the system, temporary folders left out. */
export function inSystemTree(path: string): boolean {
  return SYSTEM_TREE.test(path) && !/^\/var\/(?:tmp|folders)\//i.test(path);
}

export function isTemporary(path: string): boolean {
  return /^\/(?:tmp|var\/tmp|var\/folders)\/[^/]/i.test(path);
}

const AGENT_FILES =
  /(?:^|\/)(?:\.claude\/(?:settings(?:\.local)?\.json|hooks(?:\/|$))|\.codex\/(?:config\.toml|hooks\.json|rules(?:\/|$))|\.gemini\/(?:settings\.json|policies(?:\/|$)))/i;
const MANAGED = /^\/(?:etc|library\/application support)\/(?:claude-code|claudecode|codex|gemini-cli)(?:\/|$)/i;
const OWN_FILES = [
  '.local/share/metnos/vaglio',
  '.local/share/metnos/turns',
  '.local/state/metnos',
  '.config/metnos',
] as const;

/** The panel's and the agents' own control files (constitution page, laws 2 and 3). */
export function isControl(path: string, home: string, extra: readonly string[]): boolean {
  if (path.startsWith(FOREIGN)) return false;
  if (AGENT_FILES.test(path) || MANAGED.test(path)) return true;
  // `grants.db-wal` belongs to `grants.db`, and a whole parent takes the file along.
  for (const full of extra) if (path === full || path.startsWith(full)) return true;
  if (!path.startsWith(home)) return false;
  for (const own of OWN_FILES) {
    const full = `${home}/${own}`;
    if (path === full || path.startsWith(`${full}/`)) return true;
  }
  return path === `${home}/.local/share/metnos` || path === `${home}/.claude` || path === `${home}/.codex`;
}

/** Whoever reads it may do all that the operator may; every other of these files may be read. */
export function isOperatorKey(path: string, home: string, extra: readonly string[]): boolean {
  return /\/panel\.lock(?:\.\d+)?$/i.test(path) && isControl(path, home, extra);
}
