import { useLanguage } from '../../app/i18n/i18n.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { LONGEST_SHOWN } from './blocked.logic.ts';
import { useApprovalsText } from './strings.ts';

/** All arguments as indented JSON. The line breaks are ours; those in values are written \n by JSON itself. */
export function ArgsText(props: { text: string; open: boolean }) {
  const t = useApprovalsText();
  const language = useLanguage();
  const lines = props.text.slice(0, LONGEST_SHOWN).split('\n');
  const left = props.text.length - LONGEST_SHOWN;
  return (
    <details open={props.open} className="text-xs">
      <summary className="w-fit rounded-sm text-soft select-none hover:text-ink">{t('line.args')}</summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard
        tabIndex={0}
        className="mt-1.5 max-h-60 overflow-auto rounded-md border border-line bg-canvas px-2.5 py-1.5 leading-4 whitespace-pre-wrap wrap-anywhere select-text"
      >
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
          <span key={index}>
            <ForeignText mono text={line} limit={LONGEST_SHOWN} />
            {'\n'}
          </span>
        ))}
        {left > 0 && `… ${t('characters', { count: left, n: left.toLocaleString(language) })}`}
      </pre>
    </details>
  );
}
