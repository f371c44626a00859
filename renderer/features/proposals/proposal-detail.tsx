import { Ban, Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ProposalRow } from '../../../shared/domain/constitution.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { ScoreBar } from '../../ui/score-bar.tsx';
import { Section, SidePanel } from '../../ui/side-panel.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { DecisionMark } from './decision-mark.tsx';
import { Formula } from './formula.tsx';
import { figure, isAnswerable, whyKey } from './proposals.logic.ts';
import { useProposalsText } from './strings.ts';
import { useAnswer } from './use-answer.ts';

function Fact(props: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{props.name}</dt>
      <dd className="min-w-0 wrap-anywhere">{props.children}</dd>
    </>
  );
}

function Texts(props: { texts: readonly string[]; mono?: boolean; numbered?: boolean }) {
  const t = useProposalsText();
  const texts = props.texts.filter((text) => text !== '');
  if (texts.length === 0) return <span className="text-faint">{t('detail.none')}</span>;
  return (
    <ul className="flex flex-col gap-0.5">
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have the same words
        <li key={index} className="flex gap-1.5">
          {props.numbered && texts.length > 1 && <span className="text-faint tabular-nums">{index + 1}.</span>}
          <ForeignText text={text} mono={props.mono ?? false} limit={4000} />
        </li>
      ))}
    </ul>
  );
}

function Why(props: { row: ProposalRow }) {
  const t = useProposalsText();
  const { guard, reason } = props.row.result;
  return (
    <div className="mb-4">
      <p className="text-pretty">{t(whyKey(props.row))}</p>
      {guard.contradicted_article && (
        <p className="mt-1.5 rounded-md border border-deny/40 bg-deny-soft px-2.5 py-1.5 font-medium">
          {t(`law.${guard.contradicted_article}`)}
        </p>
      )}
      <p className="mt-1.5 text-xs text-faint wrap-anywhere">
        {t('why.exact')}: <ForeignText text={reason} mono limit={1000} />
      </p>
    </div>
  );
}

function Fits(props: { row: ProposalRow }) {
  const t = useProposalsText();
  const language = useLanguage();
  const { judge, terms } = props.row.result;
  if (!judge || judge.per_telos.length === 0) return <p className="text-soft">{t('detail.noFit')}</p>;
  return (
    <ul className="flex flex-col gap-2.5">
      {judge.per_telos.map(({ telos_id, fit, why }) => {
        const threshold = terms?.teloi.find((telos) => telos.telos_id === telos_id)?.threshold ?? null;
        return (
          <li key={telos_id} data-telos={telos_id}>
            <div className="flex items-center gap-2">
              <CodeText className="w-28 shrink-0 truncate">{telos_id}</CodeText>
              <div className="min-w-0 flex-1">
                <ScoreBar score={fit} threshold={threshold} wide />
              </div>
            </div>
            <p className="mt-0.5 text-soft wrap-anywhere">
              {why === '' ? <span className="text-faint">{t('detail.noWhy')}</span> : <ForeignText text={why} />}
              {threshold !== null && fit < threshold && (
                <span className="ml-1.5 text-xs text-faint">
                  {t('detail.below', { threshold: figure(threshold, language) })}
                </span>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

function Answer(props: { row: ProposalRow; onDone: () => void }) {
  const t = useProposalsText();
  const { row } = props;
  const { busy, problem, answer } = useAnswer(props.onDone);
  const yes = row.result.final_decision === 'publish' ? 'answer.useful' : 'answer.publish';
  return (
    <Section title={t('answer.title')}>
      <fieldset className="flex flex-wrap gap-2" disabled={busy} aria-label={t('answer.title')}>
        {(
          [
            ['publish', yes, Check],
            ['dismiss', 'answer.dismiss', X],
            ['never', 'answer.never', Ban],
          ] as const
        ).map(([value, label, icon]) => (
          <Button
            key={value}
            size="sm"
            icon={icon}
            aria-pressed={row.answer === value}
            className={row.answer === value ? 'border-accent! bg-accent-soft! text-accent!' : ''}
            onClick={() => void answer(row, value)}
          >
            {t(label)}
          </Button>
        ))}
      </fieldset>
      <p className="mt-1.5 text-xs text-faint text-pretty">{t('answer.help')}</p>
      {problem && (
        <div className="mt-2">
          <ErrorStrip problem={problem} />
        </div>
      )}
    </Section>
  );
}

/** One evaluation: what was decided, why, and how the figure came about. */
export function ProposalDetail(props: { row: ProposalRow; onClose: () => void; onAnswered: () => void }) {
  const t = useProposalsText();
  const language = useLanguage();
  const { row } = props;
  const { action, result } = row;
  const { provider, model, tier } = result.llm_config_used;
  return (
    <SidePanel onClose={props.onClose} title={<DecisionMark decision={result.final_decision} />}>
      <Why row={row} />
      {isAnswerable(row) && <Answer row={row} onDone={props.onAnswered} />}
      {row.flow === 'proactive' && result.final_decision !== 'block' && (
        <Section title={t('detail.fit')}>
          <Fits row={row} />
        </Section>
      )}
      {result.terms && (
        <Section title={t('detail.formula')}>
          <Formula result={result} />
        </Section>
      )}
      <Section title={t('detail.action')}>
        <dl className="grid grid-cols-[6.5rem_1fr] gap-y-1">
          <Fact name={t('col.what')}>
            <ForeignText text={action.kind} mono />
          </Fact>
          <Fact name={t('detail.targets')}>
            <Texts texts={row.targets} mono />
          </Fact>
          <Fact name={t('detail.scope')}>
            <Texts texts={action.scope} />
          </Fact>
          <Fact name={t('detail.impact')}>
            <Texts texts={[action.impact]} />
          </Fact>
          <Fact name={t('detail.plan')}>
            <Texts texts={action.plan} numbered />
          </Fact>
          <Fact name={t('detail.rationale')}>
            <Texts texts={[action.rationale]} />
          </Fact>
          <Fact name={t('detail.capability')}>
            <Texts texts={[row.capability ?? '']} mono />
          </Fact>
          <Fact name={t('detail.reversibility')}>
            {action.reversibility === null ? (
              <span className="text-faint">{t('detail.none')}</span>
            ) : (
              t(`reversibility.${action.reversibility}`)
            )}
          </Fact>
        </dl>
      </Section>
      <Section title={t('detail.record')}>
        <dl className="grid grid-cols-[6.5rem_1fr] gap-y-1 text-xs">
          <Fact name={t('detail.at')}>{exactTime(row.at, language)}</Fact>
          <Fact name={t('detail.model')}>
            <ForeignText text={`${provider} / ${model} / ${tier}`} mono />
          </Fact>
          <Fact name={t('detail.signature')}>
            <CodeText>{result.audit_signature.slice(0, 16)}…</CodeText>
          </Fact>
          <Fact name={t('detail.id')}>
            <CodeText>{result.action_id}</CodeText>
          </Fact>
        </dl>
      </Section>
    </SidePanel>
  );
}
