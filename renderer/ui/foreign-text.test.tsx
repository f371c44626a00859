import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ForeignText } from './foreign-text.tsx';

afterEach(cleanup);

test('is text and never markup, in a direction of its own, with marks that are named', () => {
  const { container } = render(<ForeignText text={'<img src=x onerror=alert(1)>\u202etxt'} />);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('bdi')).not.toBeNull();
  expect(container.textContent).toBe('<img src=x onerror=alert(1)>RLOtxt');
  const mark = container.querySelector('[role=img]');
  expect(mark?.getAttribute('aria-label')).toBe('hidden character U+202E RIGHT-TO-LEFT OVERRIDE');
});

test('says how much it leaves out', () => {
  const { container } = render(<ForeignText text={'x'.repeat(1_000_000)} limit={10} />);
  expect(container.textContent).toBe(`${'x'.repeat(10)} … 999990 more characters`);
});
