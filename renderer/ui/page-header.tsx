import type { ReactNode } from 'react';

/** The page's one h1, what it is about in a line, and its own tools on the right. */
export function PageHeader(props: { title: string; lead?: ReactNode; children?: ReactNode }) {
  return (
    <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
      <h1 className="text-lg font-semibold">{props.title}</h1>
      {props.lead !== undefined && <div className="min-w-0 text-xs text-faint">{props.lead}</div>}
      <div className="ml-auto flex flex-wrap items-center gap-2">{props.children}</div>
    </header>
  );
}
