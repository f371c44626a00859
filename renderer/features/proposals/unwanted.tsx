import { useState } from 'react';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { shortPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useProposalsText } from './strings.ts';
import { useAnswer } from './use-answer.ts';

/** What is not to be proposed again, and the way back. Shows nothing while there is nothing. */
export function UnwantedList() {
  const t = useProposalsText();
  const [open, setOpen] = useState(false);
  const { data, refetch } = useQuery(rpc.proposals.unwanted, {});
  useSubscription(rpc.proposals.changed, () => ({}), refetch);
  const { problem, allowAgain } = useAnswer(refetch);
  const entries = data?.entries ?? [];
  if (entries.length === 0 && !open) return null;
  return (
    <>
      <Button size="sm" look="quiet" onClick={() => setOpen(true)}>
        {t('unwanted.open', { count: entries.length })}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('unwanted.title')} description={t('unwanted.text')}>
        {problem && <ErrorStrip problem={problem} />}
        <ul className="flex flex-col">
          {entries.map((entry) => (
            <li key={entry.fingerprint} className="flex items-center gap-3 border-b border-line py-2 last:border-0">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <ForeignText text={entry.kind} mono limit={200} className="mr-2" />
                <ForeignText text={entry.targets.join(', ')} mono limit={400} className="text-soft" />
              </span>
              <span className="text-xs text-faint">
                <RelativeTime ms={entry.since} />
              </span>
              <Button
                size="sm"
                aria-label={`${t('unwanted.allow')}: ${shortPlain(entry.kind, 60)}`}
                onClick={() => void allowAgain(entry.fingerprint)}
              >
                {t('unwanted.allow')}
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
