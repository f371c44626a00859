import { describe, expect, test } from 'vitest';
import { widthOf } from './width.logic.ts';

describe('paths', () => {
  test.each(['/', '/**', '~', '~/**', '  ~/** ', '~/', '//', '/./**', '~/./**', '~/x/../**', '/**/**', '~/**/**'])(
    '%j needs an explicit yes',
    (target) => expect(widthOf('path_glob', target)).toBe('broad'),
  );

  test.each(['~/*', '/*', '/*/x', '~/**/x', '~/*.pdf'])('%j starts wide at the top', (target) =>
    expect(widthOf('path_glob', target)).toBe('top-folder'),
  );

  test('a pattern below a folder that crosses folders is a remark', () => {
    expect(widthOf('path_glob', '~/Documents/**')).toBe('crosses-folders');
  });

  test.each(['', '~/Documents', '~/Documents/*', '/srv/data/2026-*.csv', '/etc/hosts'])('%j is narrow', (target) =>
    expect(widthOf('path_glob', target)).toBeNull(),
  );
});

describe('hosts and exact targets', () => {
  test.each([
    ['example.org', null],
    ['example.org:8443', null],
    ['*.example.org', 'subdomains'],
    ['*.org', 'top-domain'],
    ['*', 'top-domain'],
    ['https://example.org', 'has-scheme'],
    ['example.org/path', 'has-scheme'],
  ])('host %j', (target, width) => expect(widthOf('host', target)).toBe(width));

  test('a star in an exact target is only a star', () => {
    expect(widthOf('exact', '*@example.com')).toBe('literal-star');
    expect(widthOf('exact', 'anna@example.com')).toBeNull();
  });

  test('where there is no target there is no width', () => {
    expect(widthOf('none', '/**')).toBeNull();
  });
});
