import { Ban, Check, CopyCheck, TriangleAlert, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { questionOf, useCardText } from '../../app/approvals/strings.ts';
import { TimeLeft } from '../../app/approvals/time-left.tsx';
import { useConnection } from '../../rpc/connection.store.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useSecond } from '../../ui/use-second.ts';
import { ArgsText } from './args-text.tsx';
import { blockedBy } from './blocked.logic.ts';
import { CardClass } from './card-class.tsx';
import { CardObject } from './card-object.tsx';
import { DecidingButton } from './press-guard.tsx';
import { SimilarForm } from './similar-form.tsx';
import { useApprovalsText } from './strings.ts';
import { useResolve } from './use-resolve.ts';

function Question(props: { card: ApprovalCard }) {
  const t = useApprovalsText();
  const ask = useCardText();
  const { card } = props;
  return (
    <header className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <h2 id={`card-${card.token}`} className="text-lg font-semibold">
          {ask(questionOf(card))}
        </h2>
        <p className="flex flex-wrap items-baseline gap-x-2 text-soft wrap-anywhere">
          <ForeignText text={`${card.channel} / ${card.sender_id}`} limit={400} />
          {card.executor !== null && (
            <>
              <span aria-hidden className="text-faint">
                ·
              </span>
              <ForeignText mono text={card.executor} limit={400} />
            </>
          )}
          {!card.ours && card.verb !== '' && (
            <>
              <span aria-hidden className="text-faint">
                ·
              </span>
              <span>{t('line.verb', { verb: `“${foreignToPlain(card.verb)}”` })}</span>
            </>
          )}
        </p>
      </div>
      <TimeLeft until={card.expires_ms} />
    </header>
  );
}

/**
 * One call that waits for a person (pipeline page, "Approvals"): the question, the object, the class, and four
 * choices of which none is the default. Esc, closing and waiting decide nothing.
 */
export function ApprovalCardView(props: { card: ApprovalCard; marked: boolean }) {
  const t = useApprovalsText();
  const { card } = props;
  const now = useSecond();
  const offline = useConnection((connection) => connection.state !== 'open');
  const [read, setRead] = useState(false);
  const [more, setMore] = useState(false);
  const [similar, setSimilar] = useState(false);
  const { busy, problem, resolve } = useResolve(card);
  const onRead = useCallback((is: boolean) => setRead(is), []);
  const blocked = blockedBy(card, { now, read, offline });
  const over = blocked === 'over' || blocked === 'offline';
  const full = card.depth === 'full' || more;
  const self = useRef<HTMLElement>(null);
  useEffect(() => {
    if (props.marked) self.current?.scrollIntoView({ block: 'nearest' });
  }, [props.marked]);

  return (
    <article
      ref={self}
      aria-labelledby={`card-${card.token}`}
      data-guard
      data-token={card.token}
      data-depth={card.depth}
      className={cx('rounded-lg border bg-raised', props.marked ? 'border-accent' : 'border-line')}
    >
      <div className={cx('flex flex-col px-4', card.depth === 'short' && !more ? 'gap-2 py-2.5' : 'gap-2.5 py-3')}>
        <Question card={card} />
        {(card.depth !== 'short' || more) && (
          <p className="text-soft wrap-anywhere">
            <span className="text-faint">{t('line.intent')}: </span>
            {card.intent === null || card.intent === '' ? (
              <span className="text-faint">{t('line.noIntent')}</span>
            ) : (
              <ForeignText text={card.intent} limit={full ? 20_000 : 300} />
            )}
          </p>
        )}
        <CardObject card={card} low={!full} onRead={onRead} />
        {full && card.args_text !== null && <ArgsText text={card.args_text} open={more} />}
        <CardClass card={card} />
        {card.problem !== null && (
          <p role="alert" className="flex items-start gap-2 rounded-md bg-deny-soft px-2.5 py-1.5 text-deny">
            <TriangleAlert aria-hidden size={14} className="mt-0.75 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{t('block.problem')}.</span> <ForeignText text={card.problem} limit={600} />
            </span>
          </p>
        )}
        {problem && <ErrorStrip problem={problem} />}
      </div>
      {similar && card.similar ? (
        <SimilarForm
          card={card}
          similar={card.similar}
          disabled={blocked !== null || busy}
          onSign={(choice) => void resolve(choice)}
          onBack={() => setSimilar(false)}
        />
      ) : (
        <footer className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2.5">
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend on screen */}
          <div role="group" aria-label={t('choices')} className="contents">
            <DecidingButton
              card={card.token}
              icon={Check}
              disabled={blocked !== null || busy}
              onPress={() => void resolve({ kind: 'once' })}
            >
              {t('choice.once')}
            </DecidingButton>
            {card.similar && (
              <DecidingButton
                card={card.token}
                icon={CopyCheck}
                disabled={blocked !== null || busy}
                onPress={() => setSimilar(true)}
              >
                {t('choice.similar')}
              </DecidingButton>
            )}
            <span aria-hidden className="mx-1 h-4 w-px bg-line" />
            <DecidingButton
              card={card.token}
              icon={X}
              disabled={over || busy}
              onPress={() => void resolve({ kind: 'no' })}
            >
              {t('choice.no')}
            </DecidingButton>
            <DecidingButton
              card={card.token}
              icon={Ban}
              look="quiet"
              title={t('choice.no-sessionHelp')}
              disabled={over || busy}
              onPress={() => void resolve({ kind: 'no-session' })}
            >
              {t('choice.no-session')}
            </DecidingButton>
          </div>
          <span className="ml-auto flex items-center gap-2 text-xs text-faint">
            {blocked !== null && blocked !== 'problem' && <span role="status">{t(`block.${blocked}`)}</span>}
            {blocked === null && !card.ours && <span>{t('ofMetnos')}</span>}
            {blocked === null && card.ours && !card.waiting && <span title={t('goneHelp')}>{t('gone')}</span>}
            {card.depth !== 'full' && (
              <Button look="quiet" size="sm" aria-expanded={more} onClick={() => setMore(!more)}>
                {more ? t('showLess') : t('showAll')}
              </Button>
            )}
          </span>
        </footer>
      )}
    </article>
  );
}
