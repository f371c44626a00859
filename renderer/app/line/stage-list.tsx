import type { ReactNode } from 'react';
import type { TrailStep } from '../../../shared/domain/decision.ts';
import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useLanguage } from '../i18n/i18n.ts';
import { StageMark } from './stage-mark.tsx';
import { StepMark } from './step-mark.tsx';
import { useLineText } from './strings.ts';

/** What a kept answer still knows of a stage: neither its words nor its time. */
export type KeptStep = Pick<TrailStep, 'stage' | 'outcome' | 'rule'>;

function isWhole(step: TrailStep | KeptStep): step is TrailStep {
  return 'reached' in step;
}

/**
 * The stages in order, each with its answer and rule, and with reason and time where they are known. A stage that was
 * not reached is fainter.
 */
export function StageList(props: {
  trail: readonly (TrailStep | KeptStep)[];
  /** What is shown of a stage's match. */
  matched?: (step: TrailStep) => ReactNode;
}) {
  const t = useLineText();
  return (
    <ol aria-label={t('stages')} className="overflow-hidden rounded-md border border-line bg-raised">
      {props.trail.map((step) => (
        <Stage key={step.stage} step={step} matched={isWhole(step) ? props.matched?.(step) : undefined} />
      ))}
    </ol>
  );
}

function Stage(props: { step: TrailStep | KeptStep; matched: ReactNode }) {
  const t = useLineText();
  const language = useLanguage();
  const { step } = props;
  const whole = isWhole(step) ? step : null;
  const reached = whole?.reached ?? true;
  return (
    <li
      data-stage={step.stage}
      data-outcome={step.outcome}
      data-reached={reached}
      className={cx(
        'grid grid-cols-[7.5rem_1fr_auto] gap-x-3 gap-y-0.5 border-b border-line px-3 py-2 last:border-b-0',
        !reached && 'bg-canvas',
      )}
    >
      <span className={cx('font-medium', !reached && 'text-faint')}>
        <StageMark stage={step.stage} />
      </span>
      <span className="flex flex-wrap items-center gap-x-3">
        {reached ? (
          <StepMark outcome={step.outcome} />
        ) : (
          <span className="text-faint">{t('outcome.unreached', { outcome: t(`outcome.${step.outcome}`) })}</span>
        )}
        {step.rule !== '' && (
          <ForeignText mono text={step.rule} limit={400} className="min-w-0 text-faint wrap-anywhere" />
        )}
      </span>
      {whole && (
        <span className="text-xs text-faint tabular-nums">
          {t('ms', { ms: whole.ms.toLocaleString(language, { maximumFractionDigits: whole.ms < 1 ? 3 : 1 }) })}
        </span>
      )}
      <div className="col-start-2 col-end-4 min-w-0">
        <p className="text-xs text-faint">{t(`stage.${step.stage}.asks`)}</p>
        {whole && whole.reason !== '' && (
          <p className="text-soft wrap-anywhere">
            <ForeignText text={whole.reason} limit={4000} />
          </p>
        )}
        {props.matched}
      </div>
    </li>
  );
}
