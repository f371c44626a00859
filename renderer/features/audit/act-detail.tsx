import type { Act } from '../../../shared/domain/integrity.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Section, SidePanel } from '../../ui/side-panel.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { ActMark, ActWords } from './act-words.tsx';
import { useAuditText } from './strings.ts';

const KNOWN = [
  'channel',
  'sender_id',
  'capability',
  'capability_class',
  'target',
  'target_summary',
  'action_verb',
  'granted_at',
  'expires_at',
  'granted_by',
  'revoked_at',
  'from_level',
  'to_level',
  'scope_kind',
  'why',
  'until_ms',
  'status',
  'decision_at',
  'decision_by_channel',
  'decision_by_sender',
  'kind',
  'file',
  'line',
  'last_line',
  'found_at',
  'detail',
] as const;

/** Everything that the record says about one act, as it stands where it was done. */
export function ActDetail(props: { act: Act; onClose: () => void }) {
  const t = useAuditText();
  const language = useLanguage();
  const { act } = props;
  return (
    <SidePanel onClose={props.onClose} title={<ActMark kind={act.kind} />}>
      <Section title={t('detail.facts')}>
        <p className="mb-2 wrap-anywhere">
          <ActWords act={act} />
        </p>
        <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-y-0.5">
          {Object.entries(act.facts).map(([key, value]) => {
            const known = KNOWN.find((each) => each === key);
            const ms =
              typeof value !== 'number' ? null : key.endsWith('_ms') ? value : key === 'found_at' ? value * 1000 : null;
            return (
              <div key={key} className="contents">
                <dt className="text-faint wrap-anywhere">
                  {known === undefined ? <ForeignText mono text={key} limit={80} /> : t(`fact.${known}`)}
                </dt>
                <dd className="wrap-anywhere">
                  {value === null ? (
                    <span className="text-faint">–</span>
                  ) : (
                    <ForeignText text={ms === null ? String(value) : exactTime(ms, language)} />
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      </Section>
      <Section title={t('detail.source')}>
        <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-y-0.5">
          <dt className="text-faint">{t('detail.when')}</dt>
          <dd>{act.at === 0 ? t('act.noTime') : exactTime(act.at * 1000, language)}</dd>
          <dt className="text-faint">{t('detail.who')}</dt>
          <dd className="wrap-anywhere">
            {act.who === null ? <span className="text-faint">{t('act.nobody')}</span> : <ForeignText text={act.who} />}
          </dd>
          <dt className="text-faint">{t('detail.source')}</dt>
          <dd className="wrap-anywhere">
            <ForeignText mono text={t('detail.row', { source: act.source, id: act.source_id })} />
          </dd>
          <dt className="text-faint">{t('detail.record')}</dt>
          <dd>{act.id}</dd>
        </dl>
      </Section>
    </SidePanel>
  );
}
