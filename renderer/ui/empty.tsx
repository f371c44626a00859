import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** What a page says when there is nothing to show: why, and what would change that. */
export function Empty(props: { icon: LucideIcon; title: ReactNode; children?: ReactNode; action?: ReactNode }) {
  const Icon = props.icon;
  return (
    <div className="mx-auto flex max-w-100 flex-col items-center px-6 py-14 text-center">
      <Icon aria-hidden size={22} strokeWidth={1.5} className="mb-3 text-faint" />
      <h2 className="font-semibold">{props.title}</h2>
      {props.children !== undefined && <div className="mt-1 text-soft text-pretty">{props.children}</div>}
      {props.action !== undefined && <div className="mt-4 flex gap-2">{props.action}</div>}
    </div>
  );
}
