import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const TONE = {
  plain: 'border-line bg-hover text-soft',
  accent: 'border-transparent bg-accent-soft text-accent',
  allow: 'border-transparent bg-allow-soft text-allow',
  ask: 'border-transparent bg-ask-soft text-ask',
  deny: 'border-transparent bg-deny-soft text-deny',
} as const;
export type BadgeTone = keyof typeof TONE;

export function Badge(props: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-4.5 shrink-0 items-center gap-1 rounded-sm border px-1.5 text-2xs font-medium whitespace-nowrap',
        TONE[props.tone ?? 'plain'],
      )}
    >
      {props.children}
    </span>
  );
}
