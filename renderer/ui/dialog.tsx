import { X } from 'lucide-react';
import { Dialog as D } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { useUiText } from './strings.ts';

/** A modal window: title, optional description, scrolling body, and a footer that stays in view. */
export function Dialog(props: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  width?: 'sm' | 'md' | 'lg';
  children: ReactNode;
  /** Where the focus starts; without it, the first thing that can have it. */
  onOpenAutoFocus?: (event: Event) => void;
}) {
  const t = useUiText();
  const width = { sm: 'max-w-100', md: 'max-w-136', lg: 'max-w-180' }[props.width ?? 'md'];
  return (
    <D.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <D.Portal>
        <D.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <D.Content
          {...(props.description === undefined ? { 'aria-describedby': undefined } : {})}
          {...(props.onOpenAutoFocus ? { onOpenAutoFocus: props.onOpenAutoFocus } : {})}
          className={cx(
            'fixed top-[12vh] left-1/2 z-40 flex max-h-[80vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col rounded-lg border border-line bg-raised shadow-overlay animate-appear focus:outline-none',
            width,
          )}
        >
          <header className="flex items-start gap-3 border-b border-line px-4 py-3">
            <div className="min-w-0 flex-1">
              <D.Title className="text-lg font-semibold">{props.title}</D.Title>
              {props.description !== undefined && (
                <D.Description className="mt-0.5 text-soft">{props.description}</D.Description>
              )}
            </div>
            <IconButton label={t('close')} icon={X} onClick={props.onClose} className="-mr-1.5" />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">{props.children}</div>
          {props.footer && (
            <footer className="flex items-center justify-end gap-2 border-t border-line px-4 py-3">
              {props.footer}
            </footer>
          )}
        </D.Content>
      </D.Portal>
    </D.Root>
  );
}
