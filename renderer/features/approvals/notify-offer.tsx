import { Bell, BellOff, BellRing } from 'lucide-react';
import { askForNotices, useNotices } from '../../app/approvals/notices.store.ts';
import { useInfo } from '../../app/info.store.ts';
import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useApprovalsText } from './strings.ts';

/** Browser mode: the polite way to desktop notices, a button and never a question on load. */
export function NotifyOffer() {
  const t = useApprovalsText();
  const permission = useNotices((notices) => notices.permission);
  const browser = useInfo((now) => now.info?.host === 'browser');
  if (!browser || permission === 'unsupported') return null;
  if (permission === 'default') {
    return (
      <Tooltip text={t('notify.help')}>
        <Button size="sm" icon={Bell} onClick={() => void askForNotices()}>
          {t('notify.offer')}
        </Button>
      </Tooltip>
    );
  }
  const Icon = permission === 'granted' ? BellRing : BellOff;
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-faint max-[1100px]:hidden">
      <Icon aria-hidden size={13} strokeWidth={1.75} />
      {t(permission === 'granted' ? 'notify.on' : 'notify.denied')}
    </span>
  );
}
