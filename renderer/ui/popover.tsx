import { Popover as P } from 'radix-ui';
import type { ReactNode } from 'react';

/** A small panel at its trigger; `trigger` is one element that can take the focus. */
export function Popover(props: {
  trigger: ReactNode;
  children: ReactNode;
  label: string;
  align?: 'start' | 'center' | 'end';
  width?: string;
}) {
  return (
    <P.Root>
      <P.Trigger asChild>{props.trigger}</P.Trigger>
      <P.Portal>
        <P.Content
          aria-label={props.label}
          align={props.align ?? 'end'}
          sideOffset={6}
          collisionPadding={8}
          style={{ width: props.width ?? '20rem' }}
          className="z-40 max-h-[70vh] max-w-[calc(100vw-16px)] overflow-y-auto rounded-lg border border-line bg-raised text-ink shadow-overlay animate-appear focus:outline-none"
        >
          {props.children}
        </P.Content>
      </P.Portal>
    </P.Root>
  );
}
