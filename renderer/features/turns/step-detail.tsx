import type { ReactNode } from 'react';
import type { TurnStep } from '../../../shared/domain/turn.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { StageMark } from '../../app/line/stage-mark.tsx';
import { useLineText } from '../../app/line/strings.ts';
import { auditHref } from '../../app/links.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Section } from '../../ui/side-panel.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { StageSign, useStateWord } from './stage-sign.tsx';
import { StepValues } from './step-values.tsx';
import { useTurnsText } from './strings.ts';

function Stages(props: { step: TurnStep }) {
  const line = useLineText();
  const word = useStateWord();
  const language = useLanguage();
  return (
    <ol aria-label={line('stages')} className="overflow-hidden rounded-md border border-line bg-raised">
      {props.step.stages.map(({ stage, state, rule, reason, ms }) => (
        <li
          key={stage}
          className="grid grid-cols-[7.5rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line px-3 py-1 last:border-b-0"
        >
          <StageMark stage={stage} />
          <span className="flex min-w-0 flex-wrap items-center gap-x-2">
            <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
              <StageSign state={state} />
              <span className={state === 'unknown' || state === 'not-reached' ? 'text-faint' : undefined}>
                {word(state)}
              </span>
            </span>
            {rule !== null && <ForeignText mono text={rule} limit={400} className="min-w-0 text-faint wrap-anywhere" />}
          </span>
          <span className="text-xs text-faint tabular-nums">
            {ms !== null && line('ms', { ms: ms.toLocaleString(language, { maximumFractionDigits: 1 }) })}
          </span>
          {reason !== null && (
            <p className="col-start-2 col-end-4 text-soft wrap-anywhere">
              <ForeignText text={reason} limit={4000} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function Fact(props: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{props.name}</dt>
      <dd className="min-w-0 wrap-anywhere">{props.children}</dd>
    </>
  );
}

function Figures(props: { step: TurnStep }) {
  const t = useTurnsText();
  const line = useLineText();
  const language = useLanguage();
  const { step } = props;
  const number = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 1 });
  const ms = (value: number | null) => value !== null && line('ms', { ms: number(value) });
  const tokens = step.llm_in_tokens !== null || step.llm_out_tokens !== null;
  const say = (value: number | null) => (value === null ? '?' : number(value));
  return (
    <dl className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-y-0.5">
      {tokens && (
        <Fact name={t('step.llm')}>
          {t('step.tokens', { in: say(step.llm_in_tokens), out: say(step.llm_out_tokens) })}
        </Fact>
      )}
      {step.llm_latency_ms !== null && <Fact name={t('step.latency')}>{ms(step.llm_latency_ms)}</Fact>}
      {step.intent_ms !== null && <Fact name={t('step.intentMs')}>{ms(step.intent_ms)}</Fact>}
      {step.vaglio_ms !== null && <Fact name={t('step.vaglioMs')}>{ms(step.vaglio_ms)}</Fact>}
      {step.exec_ms !== null && <Fact name={t('step.execMs')}>{ms(step.exec_ms)}</Fact>}
      {step.decided_ms !== null && <Fact name={t('step.decided')}>{exactTime(step.decided_ms, language)}</Fact>}
      {step.vaglio_approved !== null && (
        <Fact name="vaglio_approved">
          <code className="font-mono text-xs">{String(step.vaglio_approved)}</code>
        </Fact>
      )}
    </dl>
  );
}

/** All that is known of one step; values of arguments only when they are asked for. */
export function StepDetail(props: {
  turnKey: string;
  step: TurnStep;
  from: number | undefined;
  to: number | undefined;
}) {
  const t = useTurnsText();
  const { step, from, to } = props;
  const span = from === undefined || to === undefined ? {} : { from, to };
  return (
    <>
      <Section title={useLineText()('stages')}>
        <Stages step={step} />
        <p className="mt-1.5 text-xs text-faint">
          {step.verdict === null ? (
            t('step.noVerdict')
          ) : (
            <>
              <a
                className="text-accent underline decoration-dotted underline-offset-2"
                href={auditHref({ ...span, row: step.verdict.seq })}
              >
                {t('step.verdict')}
              </a>{' '}
              {t(step.verdict.sure ? 'step.verdictSure' : 'step.verdictLikely')}
            </>
          )}
        </p>
      </Section>
      {step.error !== null && !step.stages.some(({ reason }) => reason !== null && step.error?.endsWith(reason)) && (
        <Section title={t('step.error')}>
          <p className="text-deny wrap-anywhere">
            <ForeignText text={step.error} limit={4000} />
          </p>
        </Section>
      )}
      {step.target !== null && (
        <Section title={t('step.target')}>
          <ForeignText mono text={step.target} limit={4096} className="wrap-anywhere" />
        </Section>
      )}
      <Section title={t('step.args')}>
        {step.args_keys.length === 0 ? (
          <span className="text-faint">{t('step.noArgs')}</span>
        ) : (
          <ul className="flex flex-wrap gap-1">
            {step.args_keys.map((key) => (
              <li key={key} className="max-w-full rounded-sm border border-line bg-canvas px-1.5 wrap-anywhere">
                <ForeignText mono text={key} limit={200} />
              </li>
            ))}
          </ul>
        )}
        <StepValues turnKey={props.turnKey} step={step} />
      </Section>
      <Section title={t('step.figures')}>
        <Figures step={step} />
      </Section>
    </>
  );
}
