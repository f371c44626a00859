import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from './button.tsx';
import { useUiText } from './strings.ts';

/** Details beside a list; in a narrow window it lies over the list. Put it into a `relative flex` box. Esc closes it. */
export function SidePanel(props: { title: ReactNode; onClose: () => void; tools?: ReactNode; children: ReactNode }) {
  const t = useUiText();
  const title = useId();
  return (
    <aside
      aria-labelledby={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        props.onClose();
      }}
      className="flex h-full w-96 shrink-0 flex-col border-l border-line bg-panel max-[1100px]:absolute max-[1100px]:inset-y-0 max-[1100px]:right-0 max-[1100px]:z-20 max-[1100px]:shadow-overlay"
    >
      <header className="flex min-h-11 items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
        <h2 id={title} className="min-w-0 flex-1 truncate font-semibold">
          {props.title}
        </h2>
        {props.tools}
        <IconButton label={t('close')} icon={X} onClick={props.onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">{props.children}</div>
    </aside>
  );
}

/** A named part inside a side panel or a dialog. */
export function Section(props: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="mb-4 last:mb-0">
      <h3 className="mb-1.5 text-xs font-medium text-faint">{props.title}</h3>
      {props.children}
    </section>
  );
}
