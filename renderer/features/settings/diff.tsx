import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useSettingsText } from './strings.ts';

const LOOK: Record<string, string> = { '+': 'bg-allow-soft text-allow', '-': 'bg-deny-soft text-deny' };

/** Lines with their `+`, `-` or space before them. */
export function Diff(props: { lines: readonly string[] }) {
  const t = useSettingsText();
  return (
    <section
      aria-label={t('change.diff')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keys
      tabIndex={0}
      data-testid="diff"
      className="max-h-72 overflow-auto rounded-md border border-line bg-canvas py-1 font-mono text-xs leading-5"
    >
      {props.lines.map((line, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one change never move
          key={index}
          className={cx('px-2.5 whitespace-pre-wrap wrap-anywhere', LOOK[line.charAt(0)] ?? 'text-soft')}
        >
          <ForeignText mono text={line} limit={2000} />
        </div>
      ))}
    </section>
  );
}
