import type { DecideAnswer, DecideRequest, TrailStep } from '../../../shared/domain/decision.ts';
import { useInfo } from '../../app/info.store.ts';
import { DecisionMark } from '../../app/line/decision-mark.tsx';
import { RefusalCard } from '../../app/line/refusal-card.tsx';
import { StageList } from '../../app/line/stage-list.tsx';
import { useLineText } from '../../app/line/strings.ts';
import { grantsHref } from '../../app/links.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { LevelMark } from '../../ui/level-mark.tsx';
import { ScoreBar } from '../../ui/score-bar.tsx';
import { Section } from '../../ui/side-panel.tsx';
import { useUiText } from '../../ui/strings.ts';
import { pieceOf } from './matched.logic.ts';
import { useTryText } from './strings.ts';
import { type Supposed, supposesAnything } from './supposed.logic.ts';

function Match(props: { args: unknown; step: TrailStep }) {
  const t = useLineText();
  const { matched } = props.step;
  if (matched === null) return null;
  const piece = pieceOf(props.args, matched);
  return (
    <p data-testid="matched" className="mt-1 rounded-sm border border-line bg-canvas px-2 py-1 wrap-anywhere">
      <span className="mr-2 text-xs text-faint">
        {t('matched', { where: '' })}
        <ForeignText mono text={matched.path} limit={200} />
      </span>
      <ForeignText mono text={piece.before} />
      <mark className="rounded-[2px] bg-deny-soft text-deny outline outline-1 outline-deny/40">
        <ForeignText mono text={piece.text} />
      </mark>
      <ForeignText mono text={piece.after} />
    </p>
  );
}

/** What each of the five stages said to a call, and what the line makes of it. */
export function AnswerView(props: { request: DecideRequest; supposed: Supposed; answer: DecideAnswer }) {
  const t = useTryText();
  const ui = useUiText();
  const inForce = useInfo((now) => now.info?.threshold ?? null);
  const { answer, request, supposed } = props;
  const threshold = supposed.threshold ?? inForce;
  const what = [
    supposed.level === undefined ? null : t('supposed.level', { level: ui(supposed.level) }),
    supposed.threshold === undefined ? null : t('supposed.threshold', { threshold: supposed.threshold }),
  ].filter((each) => each !== null);
  return (
    <div data-testid="answer" data-decision={answer.decision} className="flex flex-col gap-4 p-4">
      <header>
        <h2 className="flex flex-wrap items-center gap-x-3 text-lg font-semibold">
          <span className="sr-only">{t('answer')}: </span>
          <DecisionMark decision={answer.decision} size={16} />
          {supposesAnything(supposed) && (
            <span className="text-xs font-normal text-faint">{t('supposed', { what: what.join(', ') })}</span>
          )}
        </h2>
        {answer.reason !== '' && (
          <p className="mt-0.5 wrap-anywhere">
            <ForeignText text={answer.reason} limit={4000} />
          </p>
        )}
        <p className="mt-0.5 text-xs text-faint">{t('nothing')}</p>
      </header>
      <dl className="grid grid-cols-[6rem_1fr] items-baseline gap-y-1">
        {answer.level !== null && (
          <>
            <dt className="text-faint">{t('fact.level')}</dt>
            <dd>
              <LevelMark level={answer.level} />
            </dd>
          </>
        )}
        <dt className="text-faint">{t('fact.capability')}</dt>
        <dd className="wrap-anywhere">
          {answer.capability === null ? (
            <span className="text-faint">{t('fact.none')}</span>
          ) : (
            <ForeignText mono text={answer.capability} limit={200} />
          )}
        </dd>
        {answer.targets.length > 0 && (
          <>
            <dt className="text-faint">{t('fact.targets')}</dt>
            <dd className="flex max-h-32 flex-col overflow-y-auto wrap-anywhere">
              {answer.targets.map((target) => (
                <ForeignText key={target} mono text={target} limit={4096} />
              ))}
            </dd>
          </>
        )}
        {answer.grant_id !== undefined && (
          <>
            <dt className="text-faint">{t('fact.grant')}</dt>
            <dd>
              <a className="text-accent underline decoration-dotted underline-offset-2" href={grantsHref({})}>
                {t('fact.grantId', { id: answer.grant_id })}
              </a>
            </dd>
          </>
        )}
        {answer.verdict !== null && answer.verdict.blocked_by !== 'guard' && (
          <>
            <dt className="text-faint">{t('fact.score')}</dt>
            <dd>
              <ScoreBar wide score={answer.verdict.score} threshold={threshold} />
            </dd>
          </>
        )}
        {answer.error !== null && (
          <>
            <dt className="text-faint">{t('fact.error')}</dt>
            <dd className="text-deny wrap-anywhere">
              <ForeignText text={answer.error} />
            </dd>
          </>
        )}
      </dl>
      {answer.refusal !== null && <RefusalCard stage={answer.stage} rule={answer.rule} needs={answer.needs_level} />}
      <Section title={useLineText()('stages')}>
        <StageList trail={answer.trail} matched={(step) => <Match args={request.args} step={step} />} />
      </Section>
    </div>
  );
}
