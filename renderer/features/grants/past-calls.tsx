import { useId } from 'react';
import type { GrantPreview, GrantScope } from '../../../shared/rpc/grants.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { KeptSince } from '../../app/level/past-calls.tsx';
import { useSettled } from '../../app/use-settled.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { useGrantsText } from './strings.ts';

/** Each question may look at thousands of calls, so not with each letter, ms. */
const SETTLED_MS = 300;
const NO_SCOPE: GrantScope = { channel: '', sender_id: '', capability: '', target: '' };

/** Which past calls the grant would have let through, before it is signed (ui page, "Grants"). @param props.scope null while a part is missing */
export function PastCalls(props: { scope: GrantScope | null }) {
  const t = useGrantsText();
  const id = useId();
  const asked = JSON.stringify(props.scope);
  const settled = useSettled(asked, SETTLED_MS);
  const scope = JSON.parse(settled) as GrantScope | null;
  const { data, problem, refetch } = useQuery(rpc.grants.preview, scope ?? NO_SCOPE, { enabled: scope !== null });
  // What was counted for other letters is no answer to these.
  const isCurrent = settled === asked && props.scope !== null;
  return (
    <section aria-labelledby={id} className="mt-4 rounded-md border border-line bg-canvas px-3 py-2">
      <h3 id={id} className="text-xs font-medium text-soft">
        {t('past.title')}
      </h3>
      <div role="status" className="mt-1 flex flex-col gap-1.5">
        {props.scope === null && <p className="text-xs text-faint">{t('past.incomplete')}</p>}
        {props.scope !== null && !(isCurrent && (data || problem)) && <p className="text-soft">{t('past.counting')}</p>}
        {isCurrent && data && !problem && <Counted preview={data} />}
      </div>
      {isCurrent && problem && <ErrorStrip problem={problem} onRetry={refetch} />}
    </section>
  );
}

function Counted(props: { preview: GrantPreview }) {
  const t = useGrantsText();
  const language = useLanguage();
  const { asked, passed, perhaps, newest, looked_at, cut_at_ms, since_ms, kept } = props.preview;
  // Nothing found says something only where something is kept and could be read.
  const isTold = asked > 0 || (kept.problem === null && kept.days > 0 && kept.oldest_ms !== null);
  return (
    <>
      {isTold && (
        <p className="font-medium" data-passed={passed} data-asked={asked}>
          {asked === 0 ? t('past.nobody') : t('past.count', { count: asked, passed })}
        </p>
      )}
      {perhaps > 0 && (
        <p className="text-xs text-soft" data-perhaps={perhaps}>
          {t('past.perhaps', { count: perhaps })}
        </p>
      )}
      {newest.length > 0 && (
        <>
          {passed > newest.length && <p className="text-xs text-soft">{t('past.newest', { count: newest.length })}</p>}
          <ol className="divide-y divide-line text-xs">
            {newest.map(({ id, at, executor, target }) => (
              <li key={id} className="flex items-baseline gap-3 py-1">
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <ForeignText text={executor} mono limit={80} />{' '}
                  <ForeignText text={target} mono limit={200} className="text-soft" />
                </span>
                <span className="shrink-0 text-faint">
                  <RelativeTime ms={at} />
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      <div className="flex flex-col gap-1 text-xs text-faint">
        {cut_at_ms !== null && <p>{t('past.cut', { looked: looked_at, when: exactTime(cut_at_ms, language) })}</p>}
        <KeptSince kept={kept} since={since_ms} />
        {asked > 0 && <p>{t('past.note')}</p>}
      </div>
    </>
  );
}
