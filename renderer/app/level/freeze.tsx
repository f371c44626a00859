import { Snowflake } from 'lucide-react';
import { useConnection } from '../../rpc/connection.store.ts';
import { Button } from '../../ui/button.tsx';
import { clockTime } from '../../ui/time.logic.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useLanguage } from '../i18n/i18n.ts';
import { useLevels } from './level.store.ts';
import { useLevelText } from './strings.ts';
import { openUnfreeze } from './unfreeze.store.ts';
import { useFreeze } from './use-freeze.ts';

/** One click: everything to ReadOnly. While frozen, the same place leads to what unfreezing would bring back. */
export function FreezeButton() {
  const t = useLevelText();
  const frozen = useLevels((levels) => levels.state?.frozen ?? null);
  const offline = useConnection((connection) => connection.state !== 'open');
  const { busy, freeze } = useFreeze();
  if (frozen) {
    return (
      <Tooltip text={t('frozen.look')}>
        <Button icon={Snowflake} aria-haspopup="dialog" className="border-accent! text-accent!" onClick={openUnfreeze}>
          {t('frozenNow')}
        </Button>
      </Tooltip>
    );
  }
  return (
    <Tooltip text={t('freezeHelp')}>
      <Button icon={Snowflake} disabled={offline || busy} onClick={() => void freeze()}>
        {t('freeze')}
      </Button>
    </Tooltip>
  );
}

/** A strip over every page while everything is frozen. */
export function FrozenBanner() {
  const t = useLevelText();
  const language = useLanguage();
  const frozen = useLevels((levels) => levels.state?.frozen ?? null);
  if (!frozen) return null;
  const { day, time } = clockTime(frozen.since_ms, Date.now(), language);
  return (
    <div
      role="status"
      data-testid="frozen"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5 text-accent"
    >
      <Snowflake aria-hidden size={14} className="shrink-0" />
      <span className="font-medium">{t('frozen.banner', { when: day === null ? time : `${day} ${time}` })}</span>
      <span className="text-xs">{t('frozen.bannerHelp')}</span>
      <button
        type="button"
        onClick={openUnfreeze}
        className="ml-auto rounded-sm text-xs underline decoration-dotted underline-offset-2"
      >
        {t('frozen.look')}
      </button>
    </div>
  );
}
