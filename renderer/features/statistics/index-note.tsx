import { FolderX, LoaderCircle, TriangleAlert } from 'lucide-react';
import type { IndexState } from '../../../shared/rpc/audit.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { formatCount } from './format.logic.ts';
import { useStatisticsText } from './strings.ts';

/** What has to be known of the figures: the index is still reading, has stopped, or has no folder to follow. */
export function IndexNote(props: { index: IndexState }) {
  const t = useStatisticsText();
  const language = useLanguage();
  const { index } = props;
  if (index.problem !== null) {
    const Icon = index.problem === 'missing' ? FolderX : TriangleAlert;
    return (
      <div
        role="status"
        data-problem={index.problem}
        className="flex items-start gap-2.5 rounded-lg border border-ask/50 bg-ask-soft px-4 py-2.5"
      >
        <Icon aria-hidden size={15} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ask" />
        <div className="min-w-0">
          <p className="font-medium">{t(`problem.${index.problem}`)}</p>
          <p className="text-soft">{t(`problem.${index.problem}.text`)}</p>
          {index.detail !== null && (
            <p className="mt-0.5 text-xs text-faint wrap-anywhere">
              <ForeignText text={index.detail} mono limit={400} />
            </p>
          )}
        </div>
      </div>
    );
  }
  if (index.phase === 'following') return null;
  return (
    <p
      role="status"
      data-phase={index.phase}
      className="flex items-center gap-2 rounded-lg border border-line bg-panel px-4 py-2 text-soft"
    >
      {index.phase === 'failed' ? (
        <TriangleAlert aria-hidden size={14} className="text-deny" />
      ) : (
        <LoaderCircle aria-hidden size={14} className="animate-spin text-faint" />
      )}
      {index.phase === 'indexing'
        ? t('state.indexing', { lines: formatCount(index.lines, language) })
        : t(`state.${index.phase}`)}
    </p>
  );
}
