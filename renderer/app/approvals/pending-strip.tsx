import { Hand } from 'lucide-react';
import { shortPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { approvalsHref } from '../links.ts';
import { useApprovals } from './approvals.store.ts';
import { questionOf, useCardText } from './strings.ts';
import { TimeLeft } from './time-left.tsx';

const SHOWN = 3;

/** What waits for a person, on top of the Live page. It leads to the cards; nothing is decided here. */
export function PendingStrip() {
  const t = useCardText();
  const cards = useApprovals((approvals) => approvals.cards) ?? [];
  const pending = useApprovals((approvals) => approvals.pending);
  if (pending === 0) return null;
  const shown = cards.slice(0, SHOWN);
  const title = t('strip.title', { count: pending });
  return (
    <section
      aria-label={title}
      data-testid="pending"
      className="flex shrink-0 gap-x-4 border-b border-line bg-ask-soft px-4 py-1 max-[1040px]:flex-col"
    >
      <div className="flex w-48 shrink-0 flex-wrap items-baseline gap-x-2 py-1 max-[1040px]:w-auto max-[1040px]:pb-0">
        <span role="status" className="inline-flex items-center gap-1.5 font-medium text-ask">
          <Hand aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
          {title}
        </span>
        {pending > shown.length && (
          <a
            href={approvalsHref({})}
            className="rounded-sm text-xs text-ask underline decoration-dotted underline-offset-2"
          >
            {t('strip.more', { count: pending - shown.length })}
          </a>
        )}
      </div>
      <ul className="min-w-0 flex-1">
        {shown.map((card) => (
          <li key={card.token} className="flex min-h-8 items-center gap-3">
            <span className="shrink-0 font-medium">{t(questionOf(card))}</span>
            <span className="min-w-0 flex-1 truncate">
              <ForeignText mono text={card.object} limit={240} />
            </span>
            <span className="hidden max-w-48 truncate text-xs text-soft min-[1180px]:inline">
              <ForeignText text={`${card.channel} / ${card.sender_id}`} limit={80} />
            </span>
            <span className="flex w-32 shrink-0 justify-end">
              <TimeLeft until={card.expires_ms} />
            </span>
            <a
              href={approvalsHref({ card: card.token })}
              aria-label={t('strip.decideThis', { what: `${t(questionOf(card))} ${shortPlain(card.object)}` })}
              className="inline-flex h-6 shrink-0 items-center rounded-md border border-control/50 bg-raised px-2 text-xs font-medium hover:bg-hover"
            >
              {t('strip.decide')}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
