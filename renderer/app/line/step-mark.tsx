import { CircleDashed } from 'lucide-react';
import type { TrailStep } from '../../../shared/domain/decision.ts';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { useLineText } from './strings.ts';

const SIGN = { passed: 'allowed', ended: 'denied', asked: 'approval_required' } as const;

/** What a stage said, by shape and word. */
export function StepMark(props: { outcome: TrailStep['outcome'] }) {
  const t = useLineText();
  const word = t(`outcome.${props.outcome}`);
  if (props.outcome === 'skipped') {
    return (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-faint">
        <CircleDashed aria-hidden size={13} strokeWidth={1.75} className="shrink-0" />
        {word}
      </span>
    );
  }
  return <OutcomeMark outcome={SIGN[props.outcome]} word={word} />;
}
