import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { Button } from '../../ui/button.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { nameOf } from './grant-name.logic.ts';
import { useGrantsText } from './strings.ts';

/** Rows shown of very many. */
const MOST = 50;

/** Grants that are suggested for revocation (ui page, "Grants"), folded until asked for; nothing is done by itself. */
export function SuggestedGrants<T extends { grant: GrantView }>(props: {
  icon: LucideIcon;
  title: string;
  help: string;
  /** Nothing is shown where there are none. */
  suggestions: readonly T[];
  /** Why one is suggested. */
  why: (suggestion: T) => ReactNode;
  /** What can be done with all of them, beside the fold while it is open. */
  forAll?: ReactNode;
  onRevoke: (grants: readonly GrantView[]) => void;
}) {
  const t = useGrantsText();
  const [isOpen, setOpen] = useState(false);
  if (props.suggestions.length === 0) return null;
  return (
    <section aria-label={props.title} className="mx-4 my-2 rounded-md border border-line bg-panel px-3 py-2">
      <div className="flex items-center gap-3">
        <props.icon aria-hidden size={14} className="shrink-0 text-ask" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{props.title}</p>
          <p className="text-xs text-soft">{props.help}</p>
        </div>
        <Button size="sm" look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'stale.hide' : 'stale.show')}
        </Button>
        {isOpen && props.forAll}
      </div>
      {isOpen && (
        <ul className="mt-2 max-h-48 overflow-auto">
          {props.suggestions.slice(0, MOST).map((suggestion) => {
            const { grant } = suggestion;
            return (
              <li key={grant.id} className="flex items-center gap-3 border-t border-line py-1">
                <span className="min-w-0 flex-1 truncate">
                  <ForeignText text={`${grant.channel} / ${grant.sender_id}`} limit={80} />{' '}
                  <ForeignText text={`${grant.capability} ${grant.target}`} mono limit={200} />
                </span>
                {props.why(suggestion)}
                <Button
                  size="sm"
                  aria-label={t('revoke.one', { id: grant.id, what: nameOf(grant) })}
                  onClick={() => props.onRevoke([grant])}
                >
                  {t('revoke')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
