import type { ResourceHealth } from '../../../shared/domain/health.ts';
import { useAppText } from '../../app/i18n/app-text.ts';
import { useInfo } from '../../app/info.store.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SettingGroup, SettingRow } from './setting-group.tsx';
import { useSettingsText } from './strings.ts';

/** Where everything lies, and whether it can be read. */
export function FilesGroup() {
  const t = useSettingsText();
  const home = useInfo((now) => now.info?.home);
  const { data, problem, refetch } = useQuery(rpc.app.health, {});
  return (
    <SettingGroup
      title={t('files.title')}
      lead={home !== undefined && <ForeignText mono text={home} limit={400} />}
      tools={
        <Button size="sm" onClick={refetch}>
          {t('files.look')}
        </Button>
      }
    >
      {problem && (
        <div className="p-4">
          <ErrorStrip problem={problem} onRetry={refetch} />
        </div>
      )}
      {!data && !problem && <SkeletonRows rows={7} />}
      {data?.resources.map((resource) => (
        <File key={resource.name} resource={resource} />
      ))}
    </SettingGroup>
  );
}

function File(props: { resource: ResourceHealth }) {
  const app = useAppText();
  const { name, path, state, detail } = props.resource;
  const bad = state !== 'ok' && state !== 'missing';
  return (
    <SettingRow name={app(`resource.${name}`)} testId={`file-${name}`}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0 wrap-anywhere">
          <ForeignText mono text={path} limit={1000} />
        </span>
        <span className={cx('text-xs', bad ? 'text-deny' : state === 'ok' ? 'text-allow' : 'text-faint')}>
          {app(`state.${state}`)}
        </span>
      </p>
      {state !== 'ok' && <p className={cx('text-xs', bad ? 'text-ink' : 'text-faint')}>{app(`advice.${state}`)}</p>}
      {bad && detail !== null && (
        <p className="text-xs text-faint wrap-anywhere">
          <ForeignText text={detail} limit={400} />
        </p>
      )}
    </SettingRow>
  );
}
