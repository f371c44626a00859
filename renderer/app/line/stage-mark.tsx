import { Braces, Hand, type LucideIcon, ScanEye, ShieldHalf, Table2 } from 'lucide-react';
import type { Stage } from '../../../shared/domain/decision.ts';
import { useLineText } from './strings.ts';

const ICON: Record<Stage, LucideIcon> = {
  validation: Braces,
  scope: ScanEye,
  policy: Table2,
  vaglio: ShieldHalf,
  approval: Hand,
};

/** A stage of the line, by picture and word. */
export function StageMark(props: { stage: Stage }) {
  const t = useLineText();
  const Icon = ICON[props.stage];
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon aria-hidden size={13} strokeWidth={1.75} className="shrink-0 text-faint" />
      {t(`stage.${props.stage}`)}
    </span>
  );
}
