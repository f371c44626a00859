import type { IndexState } from '../../shared/rpc/audit.ts';
import { useLanguage } from '../app/i18n/i18n.ts';
import { CodeText } from '../ui/code-text.tsx';
import { Popover } from '../ui/popover.tsx';
import { useVerdictText } from './strings.ts';

const WHY = ['invalid-json', 'not-object', 'nul-bytes', 'too-long'] as const;

/** How many stretches of a log could not be read, and where the newest are. */
export function Unreadable(props: { index: Pick<IndexState, 'unreadable' | 'unreadable_at'> }) {
  const t = useVerdictText();
  const { index } = props;
  return (
    <Popover
      label={t('unreadableTitle')}
      align="start"
      width="26rem"
      trigger={
        <button type="button" className="rounded-sm text-ask underline decoration-dotted underline-offset-2">
          {t('unreadable', { count: index.unreadable })}
        </button>
      }
    >
      <div className="border-b border-line px-3 py-2">
        <h2 className="font-semibold">{t('unreadableTitle')}</h2>
        <p className="text-xs text-soft">{t('unreadableHelp')}</p>
      </div>
      {index.unreadable > index.unreadable_at.length && (
        <p className="px-3 pt-2 text-xs text-faint">{t('unreadableNewest', { count: index.unreadable_at.length })}</p>
      )}
      <ul className="py-1">
        {index.unreadable_at.map((each) => {
          const why = WHY.find((one) => one === each.why);
          return (
            <li key={`${each.file} ${each.offset}`} className="px-3 py-1">
              <CodeText>{t('at', { file: each.file, line: each.line, offset: each.offset })}</CodeText>
              <p className="text-xs text-faint">{why ? t(`why.${why}`) : each.why}</p>
            </li>
          );
        })}
      </ul>
    </Popover>
  );
}

/** How far the index is with the files on disk. */
export function IndexLead(props: { index: IndexState | null }) {
  const t = useVerdictText();
  const language = useLanguage();
  const { index } = props;
  if (!index || index.phase === 'starting') return <span role="status">{t('starting')}</span>;
  const numbers = {
    count: index.files,
    lines: index.lines.toLocaleString(language),
  };
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {index.phase === 'indexing' && <span role="status">{t('indexing', numbers)}</span>}
      {index.phase === 'following' && index.problem === null && <span>{t('following', numbers)}</span>}
      {index.unreadable > 0 && <Unreadable index={index} />}
    </span>
  );
}
