import type { CommandFact } from './types.ts';

/** Programs that only print, name or describe their words. */
export const TEXT_TOOLS: ReadonlySet<string> = new Set(
  (
    'echo printf true false : type which whereis whatis apropos help notify-send seq expr yes compgen complete hash alias unalias ' +
    'unset whence tldr cowsay banner'
  ).split(' '),
);

/** Programs that pass or count what they read and run none of it. */
export const FILTERS: ReadonlySet<string> = new Set(
  (
    'cat tac head tail tee sort uniq wc cut tr rev nl fold fmt column paste join comm grep egrep fgrep rg sed awk gawk mawk jq yq ' +
    'md5sum sha1sum sha256sum sha512sum cksum b2sum base64 base32 xxd od hexdump less more bat diff cmp gzip xz bzip2 zstd git gh ' +
    'mail mutt pbcopy xclip xsel wl-copy tsort shuf split csplit expand unexpand iconv strings python-json read while curl'
  ).split(' '),
);

/** Programs whose first operand is a pattern or a script. */
const PATTERN_FIRST: ReadonlySet<string> = new Set([
  'grep',
  'egrep',
  'fgrep',
  'zgrep',
  'rg',
  'ag',
  'ack',
  'ggrep',
  'pcregrep',
  'ugrep',
  'sed',
  'gsed',
  'awk',
  'gawk',
  'mawk',
  'nawk',
  'jq',
  'yq',
  'gojq',
  'xmlstarlet',
  'tr',
  'sift',
  'pt',
  'ripgrep',
  'bzgrep',
  'xzgrep',
  'pgrep',
  'egrep',
  'perl-rename',
  'sd',
  'fd',
  'locate',
  'mlocate',
]);

const GIT_LIKE: ReadonlySet<string> = new Set([
  'git',
  'hg',
  'svn',
  'jj',
  'fossil',
  'bzr',
  'gh',
  'glab',
  'hub',
  'tea',
  'cz',
  'gt',
  'commit_changes',
]);

const TEXT_OPTION =
  /^--(?:message|msg|title|body|description|desc|comment|notes?|text|subject|summary|grep|pattern|regexp?|exclude(?:-dir|-from)?|ignore(?:-path)?|include|not-path|label|annotation|prompt|reason|name|author|format|template|expression|header|data|json|glob|iglob)(?:=|$)/;
const FIND_TEXT = /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|printf|regextype)$/;

/** How many leading operands of a pattern program are its pattern: none where an option gives it. */
function patternIndex(c: CommandFact): number {
  let found = -1;
  for (let i = 0; i < c.args.length; i++) {
    const v = c.args[i]?.v ?? '';
    if (/^-(?:e|f|-regexp|-file|-expression)/.test(v) && !/awk|jq|yq/.test(c.name)) return -1;
    if (/^-f|^--(?:from-)?file/.test(v)) return -1;
    if (v.startsWith('-') && v.length > 1) {
      // The value of an option is not yet the pattern.
      if (/^-[ABCmFv]$|^--(?:arg|argjson|max-count|color)$/.test(v)) i += /^--arg/.test(v) ? 2 : 1;
      continue;
    }
    if (found < 0) found = i;
  }
  return found;
}

/** Is this word text for its program: printed, searched for or stored, but never opened? */
export function isDataArg(c: CommandFact, index: number): boolean {
  if (TEXT_TOOLS.has(c.name)) return true;
  const v = c.args[index]?.v ?? '';
  if (TEXT_OPTION.test(v) && v.includes('=')) return true;
  const before = c.args[index - 1]?.v ?? '';
  if (TEXT_OPTION.test(before) && !before.includes('=')) return true;
  if (c.name === 'find' || c.name === 'gfind') return FIND_TEXT.test(before);
  if (PATTERN_FIRST.has(c.name)) {
    if (/^-e$/.test(before) && !/awk|jq/.test(c.name)) return true;
    return patternIndex(c) === index;
  }
  if (GIT_LIKE.has(c.name)) {
    if (/^-(?:[a-z]*m|S|G|b|t)$/.test(before)) return true;
    return /^-m./.test(v);
  }
  if (c.name === 'curl') return /^-(?:H|A|d|X|u|e)$/.test(before) && !v.startsWith('@');
  if (CONTAINERS.has(c.name)) return isContainerData(c, index, v);
  return false;
}

export const CONTAINERS: ReadonlySet<string> = new Set([
  'docker',
  'podman',
  'nerdctl',
  'kubectl',
  'oc',
  'docker-compose',
  'podman-compose',
  'lxc',
  'crictl',
  'buildah',
]);

/** What a container is told names places inside it; only sources of mounts and of copies are ours. */
function isContainerData(c: CommandFact, index: number, v: string): boolean {
  if (/^[\w.-]+:\//.test(v)) return true;
  const runs = c.args.findIndex((arg) => arg.v === 'run' || arg.v === 'exec' || arg.v === 'create');
  if (runs < 0 || index < runs) return false;
  const before = c.args[index - 1]?.v ?? '';
  return !(
    /^(?:-v|--volume|--mount|--env-file|--device)$/.test(before) ||
    /^(?:-v.|--(?:volume|mount|env-file|device)=)/.test(v)
  );
}
