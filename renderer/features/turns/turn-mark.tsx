import {
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  MessageCircleQuestionMark,
  Repeat,
} from 'lucide-react';
import type { TurnRow } from '../../../shared/domain/turn.ts';
import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useTurnsText } from './strings.ts';
import { kindOf, type TurnKind } from './turn-list.logic.ts';

const SIGN: Record<TurnKind, readonly [LucideIcon, string]> = {
  answer: [CircleCheck, 'text-soft'],
  ask: [MessageCircleQuestionMark, 'text-ask'],
  error: [CircleX, 'text-deny'],
  loop_break: [Repeat, 'text-ask'],
  running: [LoaderCircle, 'text-accent'],
  none: [CircleDashed, 'text-faint'],
};

/** How a turn ended, by shape and word. */
export function TurnMark(props: { row: TurnRow; now: number; word?: string }) {
  const t = useTurnsText();
  const kind = kindOf(props.row, props.now);
  const [Icon, ink] = typeof kind === 'string' ? SIGN[kind] : [CircleQuestionMark, 'text-soft'];
  return (
    <span className={cx('inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap', ink)}>
      <Icon
        aria-hidden
        size={13}
        strokeWidth={1.75}
        className={cx('shrink-0', kind === 'running' && 'motion-safe:animate-spin [animation-duration:2s]')}
      />
      <span className={cx('truncate', props.word)}>
        {typeof kind === 'string' ? t(`kind.${kind}`) : <ForeignText text={kind.other} limit={60} />}
      </span>
    </span>
  );
}
