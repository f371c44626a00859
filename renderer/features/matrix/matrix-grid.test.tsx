import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import {
  AUTONOMY_LEVELS,
  type AutonomyLevel,
  CAPABILITY_NAMES,
  type Capability,
} from '../../../shared/domain/capability.ts';
import type { MatrixCell } from '../../../shared/rpc/policy.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { type CellKey, MatrixGrid } from './matrix-grid.tsx';

const capabilities: Capability[] = CAPABILITY_NAMES.map((name) => ({
  name,
  critical: name === 'fs:write',
  default_approval: name === 'mail:send' ? 'always' : 'per_target',
  target_kind: 'exact',
  description: '',
}));
const cells: MatrixCell[] = CAPABILITY_NAMES.flatMap((capability) =>
  AUTONOMY_LEVELS.map((level) => ({
    level,
    capability,
    outcome: level === 'ReadOnly' ? ('denied' as const) : ('approval_required' as const),
    rule: 'supervised-asks' as const,
    grant_ids: level === 'Supervised' && capability === 'fs:read' ? [1, 2] : [],
  })),
);

function Held() {
  const [open, setOpen] = useState<CellKey | null>(null);
  const [compared, setCompared] = useState<AutonomyLevel | null>(null);
  return (
    <TooltipProvider>
      <MatrixGrid
        capabilities={capabilities}
        cells={cells}
        inForce="Supervised"
        open={open}
        onOpen={setOpen}
        fired={(level, name) => (name === 'fs:read' ? null : level === 'Full' ? 1234 : 0)}
        compared={compared}
        onCompare={setCompared}
      />
      <output>{open ? `${open.capability} ${open.level}` : (compared ?? 'closed')}</output>
    </TooltipProvider>
  );
}

const cell = (level: string, capability: string) =>
  document.querySelector(`[role="gridcell"][data-level="${level}"][data-capability="${capability}"]`) as HTMLElement;
const opened = () => document.querySelector('output')?.textContent;

afterEach(cleanup);

test('thirty-nine cells, each with its level, capability and outcome', () => {
  render(<Held />);
  expect(document.querySelectorAll('[role="gridcell"]')).toHaveLength(39);
  expect(cell('ReadOnly', 'fs:read').dataset.outcome).toBe('denied');
  expect(cell('Supervised', 'fs:read').textContent).toContain('Asks');
  expect(cell('Supervised', 'fs:read').textContent).toContain('2 grants');
  expect(document.querySelector('th[data-in-force="true"]')?.textContent).toContain('in force');
});

test('one stop for Tab; arrows move it, Enter opens, an open cell follows, Escape closes', () => {
  render(<Held />);
  expect(document.querySelectorAll('[role="gridcell"][tabindex="0"]')).toHaveLength(1);
  cell('ReadOnly', 'fs:read').focus();
  fireEvent.keyDown(cell('ReadOnly', 'fs:read'), { key: 'ArrowRight' });
  expect(document.activeElement).toBe(cell('Supervised', 'fs:read'));
  expect(opened()).toBe('closed');
  fireEvent.keyDown(cell('Supervised', 'fs:read'), { key: 'Enter' });
  expect(opened()).toBe('fs:read Supervised');
  fireEvent.keyDown(cell('Supervised', 'fs:read'), { key: 'ArrowDown' });
  expect(opened()).toBe('fs:write Supervised');
  fireEvent.keyDown(cell('Supervised', 'fs:write'), { key: 'Escape' });
  expect(opened()).toBe('closed');
});

test('critical and always are said in words', () => {
  render(<Held />);
  const head = (name: string) => cell('ReadOnly', name).closest('tr')?.querySelector('th')?.textContent;
  expect(head('fs:write')).toContain('critical');
  expect(head('mail:send')).toContain('always asks');
  expect(head('fs:read')).not.toContain('critical');
});

test('a cell says how often it fired, none apart from not known', () => {
  render(<Held />);
  expect(cell('Full', 'fs:write').textContent).toContain('Fired 1,234 times in the last 7 days');
  expect(cell('ReadOnly', 'fs:write').textContent).toContain('Fired 0 times in the last 7 days');
  expect(cell('Full', 'fs:read').textContent).not.toContain('Fired');
});

test('every column but the one in force can be compared with it, and put back', () => {
  render(<Held />);
  const buttons = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));
  expect(buttons).toEqual(['Compare Read-only with the level in force', 'Compare Full with the level in force']);
  const full = () => screen.getByRole('button', { name: /Compare Full/ });
  fireEvent.click(full());
  expect(opened()).toBe('Full');
  expect(full().getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(full());
  expect(opened()).toBe('closed');
});
