import { CircleAlert } from 'lucide-react';
import type { Telos, TelosProblem } from '../../../shared/domain/constitution.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { shortPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Section } from '../../ui/side-panel.tsx';
import { figure, share } from './proposals.logic.ts';
import { useProposalsText } from './strings.ts';

/** What a text of ends comes to: shares of each, or what is wrong and where. */
export function TelosPreview(props: {
  teloi: readonly Telos[];
  problems: readonly TelosProblem[];
  onLine: (line: number) => void;
}) {
  const t = useProposalsText();
  const language = useLanguage();
  const { teloi, problems } = props;
  return (
    <>
      {problems.length > 0 && (
        <Section title={t('telos.problems', { count: problems.length })}>
          <ul className="flex flex-col gap-1" data-testid="telos-problems">
            {problems.map((problem) => (
              <li key={`${problem.line} ${problem.code} ${problem.what}`}>
                <button
                  type="button"
                  onClick={() => props.onLine(problem.line)}
                  className="flex w-full items-start gap-2 rounded-md px-2 py-1 text-left hover:bg-hover"
                >
                  <CircleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-0.75 shrink-0 text-deny" />
                  <span className="min-w-0 wrap-anywhere">
                    <span className="mr-1.5 text-xs text-faint">{t('telos.line', { line: problem.line })}</span>
                    {t(`bad.${problem.code}`, { what: shortPlain(problem.what, 60) })}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {teloi.length > 0 && (
        <Section title={t('telos.weights')}>
          <ul className="flex flex-col gap-3" data-testid="telos-weights">
            {teloi.map((telos) => (
              <li key={telos.id} data-telos={telos.id}>
                <div className="flex items-baseline gap-2">
                  <span className="min-w-0 flex-1 truncate font-medium">
                    <ForeignText text={telos.phrase} limit={200} />
                  </span>
                  <span className="font-mono text-xs tabular-nums">{share(telos.normalised, language)}</span>
                </div>
                <div aria-hidden className="mt-1 h-1 rounded-full bg-line">
                  <div className="h-1 rounded-full bg-accent" style={{ width: `${telos.normalised * 100}%` }} />
                </div>
                <p className="mt-1 text-xs text-faint wrap-anywhere">
                  <ForeignText text={telos.id} mono /> ·{' '}
                  {t('telos.threshold', { threshold: figure(telos.threshold, language) })}
                </p>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
