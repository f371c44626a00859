import type { Stats } from '../../../shared/rpc/audit.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { ruleSentence } from '../../app/i18n/rule-words.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { PhaseMark } from '../../ui/phase-mark.tsx';
import { Table, Td, Th, Tr } from '../../ui/table.tsx';
import { formatCount } from './format.logic.ts';
import { RowsLink } from './rows-link.tsx';
import { type Interval, rankRules } from './statistics.logic.ts';
import { useStatisticsText } from './strings.ts';

/** What the engine counts a block under when its line names no rule. */
const UNNAMED = 'unknown';

/** Which rules stopped calls, most often first, and what each protects. A table from the start. */
export function RulesCard(props: { stats: Stats; interval: Interval }) {
  const t = useStatisticsText();
  const language = useLanguage();
  const ranked = rankRules(props.stats.by_rule);
  return (
    <section aria-labelledby="by-rule" className="min-w-0 rounded-lg border border-line">
      <header className="flex min-h-10 items-center px-4 pt-2.5">
        <h2 id="by-rule" className="font-semibold">
          {t('rule.title')}
        </h2>
      </header>
      {ranked.length === 0 ? (
        <p className="px-4 pt-2 pb-4 text-soft">{t('rule.none')}</p>
      ) : (
        <div className="overflow-x-auto pb-2">
          <Table label={t('rule.title')}>
            <thead>
              <tr>
                <Th className="static">{t('rule.protects')}</Th>
                <Th className="static">{t('rule.rule')}</Th>
                <Th className="static">{t('rule.phase')}</Th>
                <Th className="static text-right">{t('rule.count')}</Th>
              </tr>
            </thead>
            <tbody>
              {ranked.map((row) => (
                <Tr key={`${row.blocked_by} ${row.rule}`} data-rule={row.rule} className="last:[&>td]:border-b-0">
                  <Td className="min-w-56 py-1">
                    {ruleSentence(language, row.rule) ?? t(row.rule === UNNAMED ? 'rule.unnamed' : 'rule.unknown')}
                  </Td>
                  <Td className="py-1 wrap-anywhere">
                    <ForeignText text={row.rule} mono limit={200} className="text-soft" />
                  </Td>
                  <Td>
                    <PhaseMark phase={row.blocked_by} />
                  </Td>
                  <Td className="text-right font-medium">
                    <RowsLink search={{ rule: row.rule, phase: row.blocked_by, ...props.interval }} count={row.count}>
                      {formatCount(row.count, language)}
                    </RowsLink>
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
    </section>
  );
}
