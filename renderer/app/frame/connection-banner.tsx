import { Unplug } from 'lucide-react';
import { useConnection } from '../../rpc/connection.store.ts';
import { useAppText } from '../i18n/app-text.ts';
import { useInfo } from '../info.store.ts';

/** A strip over the page while the engine cannot be reached. */
export function ConnectionBanner() {
  const t = useAppText();
  const state = useConnection((connection) => connection.state);
  const browser = useInfo((now) => now.info?.host === 'browser');
  return (
    <div role="status" aria-live="assertive">
      {state === 'lost' && (
        <div className="flex items-center gap-2 border-b border-line bg-ask-soft px-4 py-1.5 text-ask">
          <Unplug aria-hidden size={14} className="shrink-0" />
          <span className="font-medium">{t('connection.lost')}</span>
          <span className="text-xs">
            {t('connection.lostHelp')} {browser && t('connection.newLink')}
          </span>
        </div>
      )}
    </div>
  );
}
