import type { ReactNode } from 'react';
import type { VaglioResult } from '../../../shared/domain/constitution.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { cx } from '../../ui/cx.ts';
import { figure } from './proposals.logic.ts';
import { useProposalsText } from './strings.ts';

const NUMBER = 'py-0.5 pl-3 text-right font-mono text-xs whitespace-nowrap';

function Row(props: { name: ReactNode; note?: ReactNode; value: string; strong?: boolean; rule?: boolean }) {
  return (
    <tr className={cx(props.rule && '[&>*]:border-t [&>*]:border-line', props.strong && 'font-semibold')}>
      <th scope="row" colSpan={3} className={cx('py-0.5 text-left', props.strong ? 'font-semibold' : 'font-normal')}>
        {props.name}
        {props.note !== undefined && <span className="ml-1.5 text-xs font-normal text-faint">{props.note}</span>}
      </th>
      <td className={NUMBER}>{props.value}</td>
    </tr>
  );
}

/** The formula with its own figures, in the order in which it is reckoned (constitution page, section 4). */
export function Formula(props: { result: VaglioResult }) {
  const t = useProposalsText();
  const language = useLanguage();
  const { terms, judge, urgency } = props.result;
  if (terms === null) return null;
  const n = (value: number) => figure(value, language);
  const clamped = urgency.given === urgency.used ? {} : { note: t('formula.clamped', { given: n(urgency.given) }) };
  return (
    <table aria-label={t('formula.table')} className="w-full">
      <thead>
        <tr className="text-xs text-faint [&>th]:pb-1 [&>th]:font-medium">
          <th scope="col" className="text-left">
            {t('formula.telos')}
          </th>
          <th scope="col" className="pl-3 text-right">
            {t('formula.weight')}
          </th>
          <th scope="col" className="pl-3 text-right">
            {t('formula.fit')}
          </th>
          <th scope="col" className="pl-3 text-right">
            {t('formula.part')}
          </th>
        </tr>
      </thead>
      <tbody>
        {terms.teloi.map((telos) => (
          <tr key={telos.telos_id}>
            <th scope="row" className="max-w-32 truncate py-0.5 text-left font-normal">
              <CodeText>{telos.telos_id}</CodeText>
            </th>
            <td className={NUMBER} title={telos.ema === 1 ? undefined : t('formula.ema', { ema: n(telos.ema) })}>
              {n(telos.weight)}
              {telos.ema !== 1 && <span className="text-faint">*</span>}
            </td>
            <td className={cx(NUMBER, telos.gated === 0 && telos.fit > 0 && 'text-faint line-through')}>
              {n(telos.fit)}
            </td>
            <td className={NUMBER}>{n(telos.weight * telos.gated)}</td>
          </tr>
        ))}
        <Row rule name={t('formula.sum')} value={n(terms.sum)} />
        <Row name={t('formula.urgency')} value={n(terms.urgency)} {...clamped} />
        <Row name={t('formula.confidence')} value={n(terms.confidence)} />
        <Row rule name={t('formula.before')} value={n(terms.before_bother)} />
        <Row name={t('formula.bother')} value={n(terms.bother_cost)} />
        <Row rule strong name={t('formula.result')} value={n(terms.expected_alignment)} />
        {judge && <Row name={t('formula.theta')} value={n(judge.threshold_used)} />}
      </tbody>
    </table>
  );
}
