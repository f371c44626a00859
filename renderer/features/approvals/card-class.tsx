import { Undo2, Unlink2 } from 'lucide-react';
import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { capabilityIn } from '../../app/approvals/strings.ts';
import { capabilityWords } from '../../app/i18n/capability-words.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useApprovalsText } from './strings.ts';

/** The card's third line: can it be taken back, and which capability is it. */
export function CardClass(props: { card: ApprovalCard }) {
  const t = useApprovalsText();
  const language = useLanguage();
  const { card } = props;
  const name = capabilityIn(card.capability);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
      {card.reversible ? (
        <span className="inline-flex items-center gap-1.5 text-soft">
          <Undo2 aria-hidden size={13} strokeWidth={1.75} />
          {t('reversible')}
        </span>
      ) : (
        <span className="inline-flex items-center gap-1.5 font-medium text-deny">
          <Unlink2 aria-hidden size={13} strokeWidth={1.75} />
          {t('irreversible')}
        </span>
      )}
      <span className="inline-flex min-w-0 items-center gap-1.5">
        <ForeignText mono text={card.capability} limit={400} className="wrap-anywhere" />
        {card.critical && <Badge tone="ask">{t('critical')}</Badge>}
      </span>
      <span className="text-faint">
        {name === null ? t('unknownCapability') : capabilityWords[language][name].label}
      </span>
      <span className="ml-auto text-faint">
        {card.asked_before === 0 ? t('asked.0') : t('asked', { count: card.asked_before })}
      </span>
    </div>
  );
}
