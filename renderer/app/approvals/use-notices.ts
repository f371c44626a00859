import { useEffect, useRef } from 'react';
import { foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { useInfo } from '../info.store.ts';
import { approvalsHref } from '../links.ts';
import { usePreferences } from '../preferences.store.ts';
import { useApprovals } from './approvals.store.ts';
import { useNotices } from './notices.store.ts';
import { noticeChange } from './notify.logic.ts';
import { useCardText } from './strings.ts';

/**
 * Desktop notices of waiting calls in browser mode, once the person has allowed them; in Electron the main process
 * shows them. A click opens the card and decides nothing; a notice whose card is gone goes too.
 */
export function useNoticesOfApprovals(): void {
  const t = useCardText();
  const cards = useApprovals((approvals) => approvals.cards);
  const pending = useApprovals((approvals) => approvals.pending);
  const wanted = usePreferences((preferences) => preferences.notifications);
  const permitted = useNotices((notices) => notices.permission === 'granted');
  const allowed = wanted && permitted;
  const browser = useInfo((now) => now.info?.host === 'browser');
  const told = useRef(new Map<string, Notification | null>());
  const words = useRef({ t, pending });
  words.current = { t, pending };

  useEffect(() => {
    if (cards === null) return;
    const { fresh, gone } = noticeChange(new Set(told.current.keys()), cards);
    for (const token of gone) {
      told.current.get(token)?.close();
      told.current.delete(token);
    }
    for (const token of fresh) {
      const card = cards.find((each) => each.token === token);
      // Whoever looks at the panel sees the count; a notice would only stand in the way.
      const show = allowed && browser && !document.hasFocus();
      told.current.set(token, show && card ? notice(card) : null);
    }

    function notice(card: { token: string; channel: string; sender_id: string; capability: string }): Notification {
      const { t: say, pending: count } = words.current;
      const made = new Notification(say('note.title', { count: Math.max(1, count) }), {
        // What is asked for stays in the panel: a notice may stand on a locked screen.
        body: say('note.body', {
          who: foreignToPlain(`${card.channel} / ${card.sender_id}`).slice(0, 80),
          capability: foreignToPlain(card.capability.split(':').slice(0, 2).join(':')).slice(0, 40),
        }),
        tag: `vaglio-${card.token}`,
        icon: './favicon.svg',
      });
      made.onclick = () => {
        window.focus();
        window.location.hash = approvalsHref({ card: card.token });
        made.close();
      };
      return made;
    }
  }, [cards, allowed, browser]);
}
