import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import type { ResourceHealth } from '../../../shared/domain/health.ts';
import { rpc } from '../../rpc/client.ts';
import { useConnection } from '../../rpc/connection.store.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Popover } from '../../ui/popover.tsx';
import { useAppText } from '../i18n/app-text.ts';
import { useInfo } from '../info.store.ts';

const REFRESH_MS = 8000;

/** A file that nobody has written yet is no fault. */
function isProblem(resource: ResourceHealth): boolean {
  return resource.state !== 'ok' && resource.state !== 'missing';
}

function Row(props: { resource: ResourceHealth }) {
  const t = useAppText();
  const { resource } = props;
  const bad = isProblem(resource);
  const { state } = resource;
  return (
    <li className="border-b border-line px-3 py-2 last:border-b-0" data-resource={resource.name} data-state={state}>
      <div className="flex items-center justify-between gap-3">
        <span className="font-medium">{t(`resource.${resource.name}`)}</span>
        <span className={cx('text-xs', bad ? 'text-deny' : state === 'ok' ? 'text-allow' : 'text-faint')}>
          {t(`state.${state}`)}
        </span>
      </div>
      <div className="text-faint wrap-anywhere">
        <ForeignText mono text={resource.path} />
      </div>
      {state !== 'ok' && (
        <p className={cx('mt-0.5 text-xs', bad ? 'text-ink' : 'text-faint')}>{t(`advice.${state}`)}</p>
      )}
      {bad && resource.detail !== null && (
        <p className="mt-0.5 text-xs text-faint wrap-anywhere">
          <ForeignText text={resource.detail} limit={400} />
        </p>
      )}
    </li>
  );
}

/** How engine and files fare, in a word; on click each file with its path, state and advice. */
export function Health() {
  const t = useAppText();
  const connection = useConnection((now) => now.state);
  const health = useQuery(rpc.app.health, {});
  const home = useInfo((now) => now.info?.home);
  const { refetch } = health;

  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && refetch(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [refetch]);

  const resources = health.data?.resources ?? [];
  const problems = resources.filter(isProblem).length;
  const offline = connection === 'lost';
  const word = offline
    ? t('health.offline')
    : health.data
      ? problems > 0
        ? t('health.problems', { count: problems })
        : t('health.ok')
      : health.problem
        ? t('health.failed')
        : t('health.unknown');
  const Icon = offline || problems > 0 || health.problem ? TriangleAlert : health.data ? CircleCheck : CircleDashed;
  const tone = offline || problems > 0 || health.problem ? 'text-deny' : health.data ? 'text-allow' : 'text-faint';

  return (
    <Popover
      label={t('health.title')}
      width="26rem"
      trigger={
        <button
          type="button"
          data-testid="health"
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-soft select-none hover:bg-hover hover:text-ink"
        >
          <Icon aria-hidden size={14} strokeWidth={1.75} className={tone} />
          {word}
        </button>
      }
    >
      <div className="flex items-center justify-between gap-3 border-b border-line px-3 py-2">
        <h2 className="font-semibold">{t('health.engine')}</h2>
        <span className={cx('text-xs', connection === 'open' ? 'text-allow' : 'text-deny')}>
          {t(`health.engine.${connection}`)}
        </span>
      </div>
      <ul>
        {[...resources]
          .sort((one, other) => Number(isProblem(other)) - Number(isProblem(one)))
          .map((resource) => (
            <Row key={resource.name} resource={resource} />
          ))}
      </ul>
      {home !== undefined && (
        <p className="border-t border-line px-3 py-2 text-xs text-faint wrap-anywhere">
          {t('health.home')}: <CodeText>{home}</CodeText>
        </p>
      )}
    </Popover>
  );
}
