import type { ReactNode } from 'react';

export function Kbd(props: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-4 min-w-4 items-center justify-center rounded-[3px] border border-line bg-raised px-1 font-sans text-2xs text-faint">
      {props.children}
    </kbd>
  );
}
