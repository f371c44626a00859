import type { TargetKind } from '../../../shared/domain/capability.ts';

/**
 * What the form says about how much a target covers. `broad` needs an explicit yes (the engine refuses
 * it otherwise), the rest are remarks that hold nobody back.
 */
export type Width =
  | 'broad'
  | 'crosses-folders'
  | 'top-folder'
  | 'subdomains'
  | 'top-domain'
  | 'literal-star'
  | 'has-scheme';

/** Remark on a target as typed, or null when it is narrow. The engine decides; this only tells early. */
export function widthOf(kind: TargetKind, target: string): Width | null {
  const text = target.trim();
  if (text === '') return null;
  switch (kind) {
    case 'path_glob':
      return pathWidth(text);
    case 'host':
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || text.includes('/')) return 'has-scheme';
      if (!text.startsWith('*')) return null;
      return text
        .replace(/^\*\.?/, '')
        .replace(/:\d+$/, '')
        .includes('.')
        ? 'subdomains'
        : 'top-domain';
    case 'exact':
      return text.includes('*') ? 'literal-star' : null;
    case 'none':
      return null;
  }
}

function pathWidth(text: string): Width | null {
  const path = tidy(text);
  if (path === '/' || path === '/**' || path === '~' || path === '~/**') return 'broad';
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '~');
  const firstWild = segments.findIndex((segment) => /[*?[]/.test(segment));
  if (firstWild === -1) return null;
  if (firstWild === 0) return 'top-folder';
  return segments.includes('**') ? 'crosses-folders' : null;
}

/** Doubled slashes, `.` and `..` resolved as text, so that `~/./**` is told from a narrow pattern. */
function tidy(text: string): string {
  const root = text.startsWith('~') ? '~' : text.startsWith('/') ? '' : '.';
  const out: string[] = [];
  for (const segment of text.split('/').slice(root === '.' ? 0 : 1)) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') out.pop();
    else out.push(segment);
  }
  // `/**/**` covers what `/**` covers.
  while (out.length > 1 && out.at(-1) === '**' && out.at(-2) === '**') out.pop();
  if (root === '') return `/${out.join('/')}`;
  return [root, ...out].join('/');
}
