import { useCallback, useState } from 'react';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { useProblemText } from '../../app/i18n/problem-text.ts';
import { rpc } from '../../rpc/client.ts';
import { toProblem } from '../../rpc/problem.ts';
import { useUiText } from '../../ui/strings.ts';
import { showToast } from '../../ui/toast.store.ts';
import { nameOf } from './grant-name.logic.ts';
import { useGrantsText } from './strings.ts';

/** As many as the engine takes in one call. */
const AT_ONCE = 1000;

/**
 * Revoking, one gesture: it takes effect at once, and for ten seconds a message offers to make new
 * grants on the same terms (ui page, "Grants").
 */
export function useRevoke(onChanged: () => void): {
  busy: ReadonlySet<number>;
  /** @param reason `stale`: only those that are still unused go */
  revoke: (grants: readonly GrantView[], reason?: 'stale') => Promise<void>;
} {
  const t = useGrantsText();
  const ui = useUiText();
  const problemText = useProblemText();
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());

  const fail = useCallback(
    (title: string, error: unknown) => {
      const problem = toProblem(error);
      showToast({ tone: 'error', text: title, detail: problem.message ?? problemText(problem).advice });
    },
    [problemText],
  );

  const restore = useCallback(
    async (ids: readonly number[]) => {
      let restored = 0;
      let failure: unknown = null;
      for (const id of ids) {
        try {
          await rpc.grants.restore({ id });
          restored += 1;
        } catch (error) {
          failure ??= error;
        }
      }
      if (restored > 0) showToast({ text: t('done.restored', { count: restored }) });
      if (failure !== null) fail(t('done.restoreFailed'), failure);
      onChanged();
    },
    [t, fail, onChanged],
  );

  const revoke = useCallback(
    async (grants: readonly GrantView[], reason?: 'stale') => {
      const ids = grants.map((grant) => grant.id);
      setBusy((before) => new Set([...before, ...ids]));
      const changed: number[] = [];
      let failure: unknown = null;
      try {
        for (let from = 0; from < ids.length; from += AT_ONCE) {
          const { results } = await rpc.grants.revoke({
            ids: ids.slice(from, from + AT_ONCE),
            ...(reason && { reason }),
          });
          for (const result of results) if (result.changed) changed.push(result.id);
        }
      } catch (error) {
        failure = error;
      }
      setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))));
      onChanged();
      if (failure !== null) fail(t('done.revokeFailed'), failure);
      const [first] = grants;
      if (changed.length > 0) {
        showToast({
          text:
            changed.length === 1 && grants.length === 1 && first
              ? t('done.revoked', { what: nameOf(first) })
              : t('done.revokedMany', { count: changed.length }),
          action: { label: ui('undo'), run: () => void restore(changed) },
        });
      } else if (failure === null) {
        showToast({ text: t('done.noop') });
      }
    },
    [t, ui, fail, restore, onChanged],
  );

  return { busy, revoke };
}
