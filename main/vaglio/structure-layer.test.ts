import { expect, test } from 'vitest';
import { noUsers } from './guard.ts';
import { evaluate, type JudgeOptions } from './judge.ts';
import { type StructureMode, structureLayer } from './structure-layer.ts';

function run(mode: StructureMode, command: string) {
  const options: JudgeOptions = {
    threshold: 0.3,
    home: '/home/user',
    clock: () => 0,
    passwd: noUsers,
    layer: structureLayer(mode),
  };
  return evaluate('tidy up', 'shell_exec', { command }, {}, options);
}

test('on: the same harm in other words is a guard block with the layer’s reason', () => {
  const { verdict, rule } = run('on', 'rm -fr /');
  expect(verdict).toMatchObject({ approved: false, blocked_by: 'guard', score: 0 });
  expect(verdict.reason).toBe(`guard: struttura shell: ${rule}`);
});

test('on: what is destructive but scoped passes with a mark beside the verdict', () => {
  const { verdict, marks } = run('on', 'git reset --hard');
  expect(verdict).toMatchObject({ approved: true, blocked_by: null });
  expect(marks.length).toBeGreaterThan(0);
});

test('marks: nothing is blocked beyond the core, and the rules are named', () => {
  const { verdict, marks } = run('marks', 'rm -fr /');
  expect(verdict.approved).toBe(true);
  expect(marks.length).toBeGreaterThan(0);
});

test('off: as if there were no layer', () => {
  expect(run('off', 'rm -fr /')).toMatchObject({ verdict: { approved: true }, marks: [] });
});

test('the core comes first in every mode, with its own reason', () => {
  for (const mode of ['on', 'marks', 'off'] as const) {
    const { verdict, rule } = run(mode, 'rm -rf /');
    expect(verdict.blocked_by).toBe('guard');
    expect(verdict.reason).toContain('comando shell quasi-irrecuperabile');
    expect(rule).toBe('\\brm\\s+-rf?\\s+/(\\s|$)');
  }
});

test('a harmless command has no marks', () => {
  expect(run('on', 'ls -la /tmp')).toMatchObject({ verdict: { approved: true }, marks: [] });
});
