import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TargetKind } from '../../shared/domain/capability.ts';
import { compileTarget, type MatchWorld, prepareTarget, targetCovers } from './match.ts';

const WORLD: MatchWorld = { home: '/home/user', realpath: (path) => path };

function covers(kind: TargetKind, pattern: string, target: string, world = WORLD): boolean {
  return targetCovers(compileTarget(kind, pattern, world), prepareTarget(kind, target, world));
}

/** A world with these links; like the kernel, `..` goes up from where a link leads. */
function linked(links: Record<string, string>, home = '/home/user'): MatchWorld {
  const realpath = (path: string): string => {
    let at: string[] = [];
    for (const name of path.split('/')) {
      if (name === '..') at.pop();
      else if (name !== '' && name !== '.') at.push(name);
      const to = links[`/${at.join('/')}`];
      if (to !== undefined) at = to.split('/').slice(1);
    }
    return `/${at.join('/')}`;
  };
  return { home, realpath };
}

describe('exact and none', () => {
  test.each<[TargetKind, string, string, boolean]>([
    ['exact', 'inbox@example.com', 'inbox@example.com', true],
    ['exact', 'inbox@example.com', 'Inbox@example.com', false],
    ['exact', 'inbox@example.com', 'inbox@example.com ', false],
    ['exact', '*', 'anything', false],
    ['none', '*', '*', true],
    ['none', '*', 'gpt', false],
    ['none', 'gpt', 'gpt', false],
  ])('%s %j against %j: %s', (kind, pattern, target, expected) => {
    expect(covers(kind, pattern, target)).toBe(expected);
  });
});

describe('host', () => {
  test.each([
    ['example.org', 'example.org', true],
    ['example.org', 'EXAMPLE.org', true],
    ['Bücher.de', 'xn--bcher-kva.de', true],
    ['xn--bcher-kva.de', 'BÜCHER.DE', true],
    ['example.org', 'ｅxample.org', true],
    ['example.org', 'www.example.org', false],
    ['example.org', 'example.org.evil.net', false],
    ['example.org', 'example.com', false],
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'evil-example.com', false],
    ['*.example.com', '.example.com', false],
    ['*.example.com', 'a..example.com', false],
    ['*.example.com', '*.example.com', false],
    ['*.0.0.1', '127.0.0.1', false],
    ['*', 'example.com', false],
    ['a.*.com', 'a.b.com', false],
    ['example.com', 'example.com:80', true],
    ['example.com', 'example.com:443', true],
    ['example.com', 'example.com:8080', false],
    ['example.com:8443', 'example.com:8443', true],
    ['example.com:8443', 'example.com', false],
    ['example.com:443', 'example.com', false],
    ['example.com:443', 'example.com:80', false],
    ['*.example.com:8443', 'a.example.com:8443', true],
    ['*.example.com:8443', 'a.example.com', false],
    ['127.0.0.1', '127.1', true],
    ['[::1]:8080', '[::1]:8080', true],
    ['[::1]', '[0:0:0:0:0:0:0:1]', true],
    ['[::1]', '::1', false],
    ['example.com', 'example.com/path', false],
    ['example.com', 'https://example.com', false],
    ['example.com', 'user@example.com', false],
    ['example.com', 'evil.net#@example.com', false],
    ['example.com', 'ex%61mple.com', false],
    ['example.com', 'exam\tple.com', false],
    ['example.com', 'example.com:0443', false],
    ['example.com', 'example.com:99999', false],
    ['example.com', 'example.com:', false],
    ['example.com', '', false],
    ['', '', false],
  ])('%j against %j: %s', (pattern, target, expected) => {
    expect(covers('host', pattern, target)).toBe(expected);
  });
});

describe('path_glob', () => {
  test.each([
    ['~/Documents/fatture-2026/*', '/home/user/Documents/fatture-2026/04.pdf', true],
    ['~/Documents/fatture-2026/*', '~/Documents/fatture-2026/04.pdf', true],
    ['~/Documents/fatture-2026/*', '~/Documents/fatture-2026', false],
    ['~/Documents/fatture-2026/*', '~/Documents/fatture-2026/q1/04.pdf', false],
    ['~/Documents/fatture-2026/*', '~/Documents/fatture-2026/../../x', false],
    ['~/Documents/fatture-2026/*', '~/Documents/fatture-2026/*', true],
    ['~/Documents/fatture-2026/*', '~/Documents/fatture-2026/**', false],
    ['~/Documents/**', '~/Documents/**', true],
    ['~/Documents/**', '~/Documents/*/a', true],
    ['~/Documents/**', '/home/user/Documents/a/b/c.txt', true],
    ['~/Documents/**', '~/Documents', false],
    ['~/Documents/**', '~/Documents/../Pictures/a', false],
    ['~/Documents/**', '~/Documents//a/./b', true],
    ['~/Documents/**', '~/DocumentsX/a', false],
    ['~/Documents/**/*.pdf', '~/Documents/a.pdf', true],
    ['~/Documents/**/*.pdf', '~/Documents/x/y/a.pdf', true],
    ['~/Documents/**/*.pdf', '~/Documents/x/y/a.txt', false],
    ['~/Documents/**/2026/**', '~/Documents/2026/a', true],
    ['~/Documents/**/2026/**', '~/Documents/2026', false],
    ['/tmp/./x/../a*b*c', '/tmp/aXbYc', true],
    ['/tmp/a*b*c', '/tmp/aXbYcZ', false],
    ['/tmp/a**c', '/tmp/a/c', false],
    ['/tmp/a?c', '/tmp/abc', false],
    ['/tmp/[ab]', '/tmp/a', false],
    ['~', '/home/user', true],
    ['~/', '~', true],
    ['~', '/home/user/a', false],
    ['/', '/', true],
    ['/', '/..', true],
    ['/**', '/a', true],
    // A dot-file only where the pattern writes the dot.
    ['~/*', '~/.bashrc', false],
    ['~/**', '~/.ssh/id_rsa', false],
    ['~/**', '~/a/.hidden/b', false],
    ['~/**', '~/a/.hidden', false],
    ['~/.*', '~/.bashrc', true],
    ['~/.config/**', '~/.config/app/x', true],
    ['~/.config/**', '~/.config/app/.x', false],
    ['~/**/.git/**', '~/a/b/.git/c/d', true],
    ['~/**/.git/**', '~/a/.b/.git/c', false],
    // Not absolute, or not ours to expand: covered by nothing.
    ['~/**', 'a.txt', false],
    ['a.txt', 'a.txt', false],
    ['~other/**', '~other/a', false],
    ['~/**', '/home/user/a\0b', false],
    ['', '', false],
  ])('%j against %j: %s', (pattern, target, expected) => {
    expect(covers('path_glob', pattern, target)).toBe(expected);
  });

  test('a star in the name of the home folder is no wildcard', () => {
    const world = { ...WORLD, home: '/home/u*r' };
    expect(covers('path_glob', '~/a*', '/home/u*r/ab', world)).toBe(true);
    expect(covers('path_glob', '~/a*', '/home/user/ab', world)).toBe(false);
  });

  test('a home that is no absolute path expands nothing', () => {
    for (const home of ['', 'home']) expect(covers('path_glob', '~/**', '~/a', { ...WORLD, home })).toBe(false);
  });
});

describe('the real path has to be covered too [security]', () => {
  test('a link out of the granted folder', () => {
    const world = linked({ '/home/user/Documents/out': '/home/user/private' });
    expect(covers('path_glob', '~/Documents/**', '~/Documents/out/a', world)).toBe(false);
    expect(covers('path_glob', '~/Documents/**', '~/Documents/in/a', world)).toBe(true);
  });

  test('a link that stays inside', () => {
    const world = linked({ '/home/user/Documents/now': '/home/user/Documents/2026' });
    expect(covers('path_glob', '~/Documents/**', '~/Documents/now/a', world)).toBe(true);
    expect(covers('path_glob', '~/Documents/now/*', '~/Documents/now/a', world)).toBe(false);
  });

  test('a link, then `..`: the text and the kernel mean two folders, both are asked', () => {
    const world = linked({ '/home/user/Documents/out': '/srv/data' });
    expect(covers('path_glob', '~/Documents/*', '~/Documents/out/../a', world)).toBe(false);
  });

  test('a home folder that is a link is what it leads to', () => {
    const world = linked({ '/home/user': '/var/home/user' });
    expect(covers('path_glob', '~/Documents/*', '/home/user/Documents/a', world)).toBe(true);
    expect(covers('path_glob', '~/Documents/*', '/home/user/.ssh/a', world)).toBe(false);
    // A pattern without `~` says one place only.
    expect(covers('path_glob', '/home/user/Documents/*', '/home/user/Documents/a', world)).toBe(false);
  });

  test('a question that cannot be answered is no yes', () => {
    const realpath = (): string => {
      throw new Error('ELOOP');
    };
    expect(() => covers('path_glob', '~/**', '~/a', { home: '/home/user', realpath })).toThrow('ELOOP');
    expect(covers('path_glob', '~/x/**', '~/a', { home: '/home/user', realpath })).toBe(false);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom('~', '/', '..', '.', '*', '**', '.a', 'a', 'b', 'ab', '//', 'é', '\0', ':80', '[::1]');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((parts) => parts.join('')),
  );
  const path = fc.array(fc.constantFrom('a', 'b', '.a', 'ab', '..', '.', '')).map((names) => `/${names.join('/')}`);

  test('never throws, and covers nothing that the real path is not covered by', () => {
    fc.assert(
      fc.property(fc.constantFrom<TargetKind>('exact', 'host', 'path_glob', 'none'), text, text, (kind, p, t) => {
        const nowhere = { home: '/home/user', realpath: () => '/nowhere/else' };
        covers(kind, p, t);
        const outside = prepareTarget(kind, '/nowhere/else', WORLD);
        const reached = targetCovers(compileTarget(kind, p, WORLD), outside);
        if (kind === 'path_glob' && !reached) expect(covers(kind, p, t, nowhere)).toBe(false);
      }),
    );
  });

  test('the glob answers as a slow reading of the rules does', () => {
    const segment = fc.constantFrom('a', 'b', '*', '**', '.*', 'a*', '*b', '.a');
    const pattern = fc.array(segment, { maxLength: 6 }).map((names) => `/${names.join('/')}`);
    fc.assert(
      fc.property(pattern, path, (p, t) => {
        expect(covers('path_glob', p, t)).toBe(slow(names(p), names(t)));
      }),
      { numRuns: 3000 },
    );
  });
});

function names(path: string): string[] {
  const done: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') done.pop();
    else if (name !== '' && name !== '.') done.push(name);
  }
  return done;
}

/** Section 3 read aloud, with every way tried. */
function slow(pattern: readonly string[], path: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  const [name, ...others] = path;
  if (head === undefined) return name === undefined;
  const plain = name !== undefined && !name.startsWith('.');
  if (head === '**') {
    const atEnd = rest.every((one) => one === '**');
    if (atEnd) return path.length > 0 && path.every((one) => !one.startsWith('.'));
    return slow(rest, path) || (plain && slow(pattern, others));
  }
  if (name === undefined) return false;
  if (!plain && !head.startsWith('.')) return false;
  const regex = new RegExp(`^${head.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  return regex.test(name) && slow(rest, others);
}
