import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { grantsHref } from '../../app/links.ts';

export function GrantsLink(props: { capability: string; children: ReactNode }) {
  return (
    <a
      href={grantsHref({ capability: props.capability })}
      className="inline-flex items-center gap-1 rounded-sm font-medium text-accent hover:text-accent-strong"
    >
      {props.children}
      <ArrowRight aria-hidden size={13} strokeWidth={1.75} />
    </a>
  );
}
