import { X } from 'lucide-react';
import { Toast as T } from 'radix-ui';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { useUiText } from './strings.ts';
import { useToasts } from './toast.store.ts';

/** The place where short messages appear; stands once, at the root. F8 moves the focus there. */
export function Toaster() {
  const t = useUiText();
  const { messages, dismiss } = useToasts();
  return (
    <T.Provider label={t('notifications')}>
      {messages.map((each) => (
        <T.Root
          key={each.id}
          duration={each.duration}
          type={each.tone === 'error' ? 'foreground' : 'background'}
          onOpenChange={(open) => !open && dismiss(each.id)}
          className={cx(
            'flex items-center gap-3 rounded-lg border bg-raised py-2 pr-2 pl-3 shadow-overlay animate-appear',
            each.tone === 'error' ? 'border-deny' : 'border-line',
          )}
        >
          <div className="min-w-0 flex-1">
            <T.Title className="font-medium wrap-anywhere">{each.text}</T.Title>
            {each.detail && <T.Description className="text-xs text-soft wrap-anywhere">{each.detail}</T.Description>}
          </div>
          {each.action && (
            <T.Action asChild altText={each.action.label}>
              <Button size="sm" onClick={each.action.run}>
                {each.action.label}
              </Button>
            </T.Action>
          )}
          <T.Close asChild>
            <IconButton label={t('close')} icon={X} size="sm" />
          </T.Close>
        </T.Root>
      ))}
      <T.Viewport className="fixed right-4 bottom-4 z-50 flex w-90 max-w-[calc(100vw-32px)] flex-col gap-2 outline-none" />
    </T.Provider>
  );
}
