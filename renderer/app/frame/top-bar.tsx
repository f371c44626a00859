import { Search } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useAppText } from '../i18n/app-text.ts';
import { useInfo } from '../info.store.ts';
import { LevelSwitch } from '../level/level-switch.tsx';
import { Health } from './health.tsx';
import { LookMenu } from './look-menu.tsx';

const APPLE = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The level in force, the way to everything, how engine and files fare, the look. */
export function TopBar(props: { onGo: () => void }) {
  const t = useAppText();
  const demo = useInfo((now) => now.info?.demo ?? false);
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line bg-panel px-2">
      <LevelSwitch />
      <div className="ml-auto flex items-center gap-1">
        {demo && (
          <Tooltip text={t('demoHelp')}>
            <button type="button" className="rounded-sm" aria-label={`${t('demo')}. ${t('demoHelp')}`}>
              <Badge tone="accent">{t('demo')}</Badge>
            </button>
          </Tooltip>
        )}
        <button
          type="button"
          onClick={props.onGo}
          className="inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-soft select-none hover:bg-hover hover:text-ink"
        >
          <Search aria-hidden size={14} strokeWidth={1.75} />
          <span className="max-[1180px]:sr-only">{t('go.open')}</span>
          <Kbd>{APPLE ? '⌘K' : 'Ctrl K'}</Kbd>
        </button>
        <Health />
        <LookMenu />
      </div>
    </header>
  );
}
