import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { questionOf, useCardText } from '../../app/approvals/strings.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { RefusalCard } from '../../app/line/refusal-card.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Section, SidePanel } from '../../ui/side-panel.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { ArgsText } from './args-text.tsx';
import { CardClass } from './card-class.tsx';
import { CardObject } from './card-object.tsx';
import { DecidedBy } from './decided-by.tsx';
import { StatusMark } from './status-mark.tsx';
import { useApprovalsText } from './strings.ts';

const RULE = {
  rejected: 'approval:person',
  expired: 'approval:expired',
  withdrawn: 'approval:withdrawn',
} as const;

const ignore = () => undefined;

/** One decided call, with all that is kept of it. */
export function DecidedDetail(props: { card: ApprovalCard; onClose: () => void }) {
  const t = useApprovalsText();
  const ask = useCardText();
  const language = useLanguage();
  const { card } = props;
  const when = (ms: number | null) => (ms === null ? t('by.unknown') : exactTime(ms, language));
  const byFreeze = card.decided_by?.channel === 'panel' && card.decided_by.sender_id === 'freeze';
  const refused = card.status === 'rejected' || card.status === 'expired' || card.status === 'withdrawn';
  return (
    <SidePanel onClose={props.onClose} title={<StatusMark status={card.status} />}>
      <Section title={ask(questionOf(card))}>
        <CardObject card={card} low={false} onRead={ignore} />
        {card.intent !== null && card.intent !== '' && (
          <p className="mt-2 text-soft wrap-anywhere">
            <ForeignText text={card.intent} />
          </p>
        )}
        <div className="mt-2">
          <CardClass card={card} />
        </div>
        {card.args_text !== null && (
          <div className="mt-2">
            <ArgsText text={card.args_text} open={false} />
          </div>
        )}
      </Section>
      {refused && (
        <div className="mb-4">
          <RefusalCard
            stage={byFreeze ? 'policy' : 'approval'}
            rule={byFreeze ? 'policy:frozen' : RULE[card.status as keyof typeof RULE]}
          />
        </div>
      )}
      <Section title={t('detail.facts')}>
        <dl className="grid grid-cols-[6rem_1fr] gap-y-0.5">
          <dt className="text-faint">{t('col.who')}</dt>
          <dd className="wrap-anywhere">
            <ForeignText text={`${card.channel} / ${card.sender_id}`} limit={400} />
          </dd>
          {card.executor !== null && (
            <>
              <dt className="text-faint">{t('col.executor')}</dt>
              <dd className="wrap-anywhere">
                <ForeignText mono text={card.executor} limit={400} />
              </dd>
            </>
          )}
          <dt className="text-faint">{t('col.by')}</dt>
          <dd className="wrap-anywhere">
            <DecidedBy card={card} />
          </dd>
          <dt className="text-faint">{t('detail.asked')}</dt>
          <dd>{when(card.created_ms)}</dd>
          <dt className="text-faint">{t('detail.decided')}</dt>
          <dd>{when(card.decided_ms)}</dd>
          <dt className="text-faint">{t('detail.expires')}</dt>
          <dd>{when(card.expires_ms)}</dd>
          <dt className="text-faint">{t('detail.token')}</dt>
          <dd className="wrap-anywhere">
            <CodeText>{card.token}</CodeText>
          </dd>
        </dl>
      </Section>
    </SidePanel>
  );
}
