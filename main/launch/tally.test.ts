import { expect, test } from 'vitest';
import { closingLine, countPlaywright } from './tally.mjs';

test('specs are counted wherever they stand, skips with their reason, errors outside a test as failures', () => {
  const spec = (title: string, status: string, annotations: { type: string; description?: string }[] = []) => ({
    title,
    tests: [{ status, annotations }],
  });
  const report = {
    errors: [{ message: 'a spec file does not load' }],
    suites: [
      {
        title: 'a.spec.ts',
        specs: [spec('one', 'expected'), spec('two', 'flaky'), spec('three', 'unexpected')],
        suites: [
          {
            title: 'deep',
            specs: [spec('four', 'skipped', [{ type: 'skip', description: 'no binary' }]), spec('five', 'skipped')],
          },
        ],
      },
    ],
  };
  const tally = countPlaywright(JSON.stringify(report));
  expect(tally).toEqual({
    passed: 2,
    failed: 2,
    skipped: [
      { name: 'a.spec.ts > deep > four', reason: 'no binary' },
      { name: 'a.spec.ts > deep > five', reason: null },
    ],
  });
  expect(closingLine(tally)).toBe('2 passed, 2 failed, 2 skipped');
});
