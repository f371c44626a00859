import { Activity, FolderX, SearchX, TriangleAlert } from 'lucide-react';
import type { IndexState } from '../../shared/rpc/audit.ts';
import { rpc } from '../rpc/client.ts';
import { useQuery } from '../rpc/hooks.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { useVerdictText } from './strings.ts';

function Where() {
  const t = useVerdictText();
  const health = useQuery(rpc.app.health, {});
  const log = health.data?.resources.find((each) => each.name === 'verdict-log');
  if (!log) return null;
  return (
    <p className="mt-3 text-xs text-faint wrap-anywhere">
      {t('empty.where')} <ForeignText mono text={log.path} />
    </p>
  );
}

/** Why there is nothing to see: no match, no folder yet, or nothing judged yet. */
export function NoVerdicts(props: { index: IndexState | null; filtered: boolean; onClear: () => void }) {
  const t = useVerdictText();
  if (props.filtered) {
    return (
      <Empty
        icon={SearchX}
        title={t('empty.filtered')}
        action={<Button onClick={props.onClear}>{t('clearAll')}</Button>}
      >
        {t('empty.filteredText')}
      </Empty>
    );
  }
  const missing = props.index?.problem === 'missing';
  return (
    <Empty icon={missing ? FolderX : Activity} title={t('empty.title')}>
      <p>{missing ? t('empty.missing') : t('empty.text')}</p>
      <Where />
    </Empty>
  );
}

/** A strip over the list when the folder cannot be followed. */
export function FolderProblem(props: { index: IndexState | null }) {
  const t = useVerdictText();
  const { index } = props;
  const kind = index?.phase === 'failed' ? 'failed' : index?.problem;
  if (!kind || kind === 'missing') return null;
  return (
    <div role="alert" className="flex items-start gap-2 border-b border-line bg-deny-soft px-4 py-2">
      <TriangleAlert aria-hidden size={14} className="mt-0.75 shrink-0 text-deny" />
      <div className="min-w-0">
        <p>
          <span className="font-semibold">{t(`folder.${kind}`)}</span>{' '}
          <span className="text-soft">{t(`folder.${kind}Help`)}</span>
        </p>
        {index?.detail && (
          <p className="text-xs text-faint wrap-anywhere">
            <ForeignText text={index.detail} limit={400} />
          </p>
        )}
      </div>
    </div>
  );
}
