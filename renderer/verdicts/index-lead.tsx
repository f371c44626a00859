import type { IndexProgress, IndexState } from '../../shared/rpc/audit.ts';
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

/** How far a backlog is worked off: lines, how fast, how long it still takes. */
function Progress(props: { progress: IndexProgress }) {
  const t = useVerdictText();
  const language = useLanguage();
  const { stage, bytes, bytes_done, lines_done, lines_per_s, seconds_left } = props.progress;
  const number = (value: number) => Math.round(value).toLocaleString(language);
  const part = bytes === 0 ? 0 : Math.min(1, bytes_done / bytes);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 tabular-nums">
      <span role="status">
        {t(stage === 'rows' ? 'progress.rows' : 'progress.text', { lines: number(lines_done) })}
      </span>
      <span aria-hidden className="h-1 w-20 overflow-hidden rounded-full bg-line">
        <span className="block h-full bg-accent" style={{ width: `${part * 100}%` }} />
      </span>
      <span>
        {t('progress.speed', { speed: number(lines_per_s) })}
        {seconds_left !== null && `, ${t('progress.left', { count: Math.max(1, Math.ceil(seconds_left)) })}`}
      </span>
    </span>
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
      {index.progress ? (
        <Progress progress={index.progress} />
      ) : (
        index.phase === 'indexing' && <span role="status">{t('indexing', numbers)}</span>
      )}
      {index.phase === 'following' && index.problem === null && <span>{t('following', numbers)}</span>}
      {index.unreadable > 0 && <Unreadable index={index} />}
    </span>
  );
}
