import { ChevronRight } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import type { TurnStage, TurnStep } from '../../../shared/domain/turn.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { useLineText } from '../../app/line/strings.ts';
import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { StageSign, useStateWord } from './stage-sign.tsx';
import { StepDetail } from './step-detail.tsx';
import { useTurnsText } from './strings.ts';
import { tookText } from './turn-list.logic.ts';

/** Number, executor, the five stages under their names, time. The head of the timeline stands on the same columns. */
export const STEP_GRID =
  'grid grid-cols-[2rem_minmax(0,1fr)_repeat(5,1.5rem)_5rem] items-center gap-x-1 @min-[40rem]:grid-cols-[2rem_minmax(0,1fr)_repeat(5,4.25rem)_4.5rem]';

function Stage(props: { stage: TurnStage }) {
  const line = useLineText();
  const word = useStateWord();
  const said = `${line(`stage.${props.stage.stage}`)}: ${word(props.stage.state)}`;
  return (
    <span
      role="img"
      aria-label={said}
      title={said}
      data-stage={props.stage.stage}
      data-state={props.stage.state}
      className="flex h-full items-center justify-center"
    >
      <StageSign state={props.stage.state} />
    </span>
  );
}

const INK: Record<TurnStep['outcome'], string> = {
  ran: 'border-control text-soft',
  failed: 'border-ask text-ask',
  refused: 'border-deny text-deny',
  waiting: 'border-ask text-ask',
  unknown: 'border-line text-faint',
};

/** One step of the timeline; pressed, it shows all that is known of it. */
export const StepItem = memo(function StepItem(props: {
  turnKey: string;
  /** Where its verdict is to be looked for, Unix seconds; plain numbers, so that a turn that grows redraws new steps only. */
  from: number | undefined;
  to: number | undefined;
  step: TurnStep;
  open: boolean;
  onToggle: (index: number) => void;
}) {
  const t = useTurnsText();
  const line = useLineText();
  const language = useLanguage();
  const item = useRef<HTMLLIElement>(null);
  const { step, open } = props;
  useEffect(() => {
    if (open) item.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const ended = step.stages.find(({ state }) => state === 'ended');
  const reason = ended?.reason ?? step.error;
  const id = `step-${step.index}`;
  return (
    <li
      ref={item}
      data-step={step.index}
      data-outcome={step.outcome}
      // A turn may have hundreds of steps; those out of sight cost nothing.
      className="relative [content-visibility:auto] [contain-intrinsic-size:auto_32px]"
    >
      <span aria-hidden className="absolute top-0 bottom-0 left-[calc(1rem+15.5px)] w-px bg-line" />
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => props.onToggle(step.index)}
        className={cx('w-full px-4 text-left inset-focus select-none', open ? 'bg-selected' : 'hover:bg-hover')}
      >
        <span className={cx(STEP_GRID, 'min-h-8')}>
          <span
            className={cx(
              'z-[1] ml-1.5 inline-flex size-5 items-center justify-center rounded-full border bg-canvas text-2xs font-medium tabular-nums',
              INK[step.outcome],
            )}
          >
            <span className="sr-only">{t('step.name', { number: '' })}</span>
            {step.step_num ?? step.index + 1}
          </span>
          <span className="flex min-w-0 items-center gap-2">
            <ChevronRight
              aria-hidden
              size={13}
              className={cx('shrink-0 text-faint transition-transform duration-100', open && 'rotate-90')}
            />
            <span className="min-w-0 truncate">
              {step.executor === '' ? (
                <span className="text-faint">{t('step.noExecutor')}</span>
              ) : (
                <ForeignText mono text={step.executor} limit={120} />
              )}
              {step.args_keys.length > 0 && (
                <span className="ml-2 text-xs text-faint">
                  <ForeignText text={step.args_keys.join(', ')} limit={120} />
                </span>
              )}
            </span>
          </span>
          {step.stages.map((stage) => (
            <Stage key={stage.stage} stage={stage} />
          ))}
          <span className="text-right font-mono text-xs text-faint">
            {tookText(0, step.exec_ms, language) ?? <span aria-hidden>–</span>}
          </span>
        </span>
        {step.outcome !== 'ran' && step.outcome !== 'unknown' && (
          <span className="block pb-1.5 pl-[3.6rem] text-xs">
            <span className={step.outcome === 'refused' ? 'text-deny' : 'text-ask'}>
              {t(`step.${step.outcome}`)}
              {ended !== undefined && `, ${line(`stage.${ended.stage}`)}`}
            </span>
            {reason !== null && (
              <span className="text-soft wrap-anywhere">
                {': '}
                <ForeignText text={reason} limit={300} />
              </span>
            )}
          </span>
        )}
      </button>
      {open && (
        <div id={id} className="bg-selected/40 pt-2 pr-4 pb-4 pl-[4.6rem]">
          <StepDetail turnKey={props.turnKey} step={step} from={props.from} to={props.to} />
        </div>
      )}
    </li>
  );
});
