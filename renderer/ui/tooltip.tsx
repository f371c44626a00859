import { Tooltip as T } from 'radix-ui';
import type { ReactNode } from 'react';

/** A short explanation on hover and on focus. Never the only place where something is said. */
export function Tooltip(props: { text: ReactNode; side?: 'top' | 'right' | 'bottom' | 'left'; children: ReactNode }) {
  return (
    <T.Root>
      <T.Trigger asChild>{props.children}</T.Trigger>
      <T.Portal>
        <T.Content
          side={props.side ?? 'bottom'}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-sm border border-line bg-raised px-2 py-1 text-xs text-ink shadow-overlay animate-appear"
        >
          {props.text}
        </T.Content>
      </T.Portal>
    </T.Root>
  );
}

export function TooltipProvider(props: { children: ReactNode }) {
  return <T.Provider delayDuration={350}>{props.children}</T.Provider>;
}
