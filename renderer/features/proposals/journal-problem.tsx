import { TriangleAlert } from 'lucide-react';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useProposalsText } from './strings.ts';

/** The journal's file cannot be read: the engine's sentence names it and says what to do. */
export function JournalProblem(props: { text: string }) {
  const t = useProposalsText();
  return (
    <p role="alert" className="flex items-start gap-2 border-b border-line bg-deny-soft px-4 py-2">
      <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-0.75 shrink-0 text-deny" />
      <span className="min-w-0 wrap-anywhere">
        {t('problem')}: <ForeignText text={props.text} className="text-soft" />
      </span>
    </p>
  );
}
