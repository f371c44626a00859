import { CircleHelp, Scale, ShieldX } from 'lucide-react';
import { useUiText } from './strings.ts';

/** Which phase said no: the guard's shield, the judge's scale, or another name as it stands in the log. */
export function PhaseMark(props: { phase: string }) {
  const t = useUiText();
  const Icon = props.phase === 'guard' ? ShieldX : props.phase === 'judge' ? Scale : CircleHelp;
  const word = props.phase === 'guard' || props.phase === 'judge' ? t(props.phase) : props.phase;
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap text-soft">
      <Icon aria-hidden size={13} strokeWidth={1.75} className="shrink-0" />
      <span className="truncate">{word}</span>
    </span>
  );
}
