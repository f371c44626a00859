import { BrowserWindow, Notification } from 'electron';
import type { ApprovalCard } from '../../shared/domain/approval.ts';

type Language = 'en' | 'it';

const TITLE: Record<Language, { one: string; more: (count: number) => string }> = {
  en: { one: 'Vaglio: 1 call waits for you', more: (count) => `Vaglio: ${count} calls wait for you` },
  it: { one: 'Vaglio: 1 chiamata ti aspetta', more: (count) => `Vaglio: ${count} chiamate ti aspettano` },
};

/** Before the watch is begun again after a fault; ms. */
const RETRY_MS = 10_000;
const LONGEST_NAME = 80;

/** Text from outside without anything that would not be seen or would turn other text around. */
function visible(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '\ufffd').slice(0, LONGEST_NAME);
}

/** @param locale as the system names it, e.g. `it-IT` */
export function languageOf(locale: string): Language {
  return /^it\b/i.test(locale) ? 'it' : 'en';
}

export interface NoticeOptions {
  /** What waits, at once and at each change. */
  watch(signal: AbortSignal): AsyncIterable<{ pending: number; cards: readonly ApprovalCard[] }>;
  /** Whether the person wants notices. */
  wanted(): boolean | Promise<boolean>;
  language(): Language | Promise<Language>;
  /** A click on a notice: shows the card. It decides nothing, and a notice has no buttons. */
  open(token: string): void;
  log(line: string): void;
}

/**
 * Desktop notices of calls that wait (ui page, "Outside the window"). It says who asks for which capability and no
 * more, since a notice may stand on a locked screen; a notice goes when its card does.
 *
 * @returns ends it and takes all notices back
 */
export function tellOfApprovals(options: NoticeOptions): () => void {
  const told = new Map<string, Notification | null>();
  const stop = new AbortController();
  let retry: NodeJS.Timeout | undefined;

  async function take({ pending, cards }: { pending: number; cards: readonly ApprovalCard[] }): Promise<void> {
    const language = await options.language();
    const wanted = await options.wanted();
    for (const [token, notice] of told) {
      if (cards.some((card) => card.token === token)) continue;
      notice?.close();
      told.delete(token);
    }
    for (const card of cards) {
      if (told.has(card.token) || stop.signal.aborted) continue;
      told.set(card.token, null);
      // Whoever has the window before them sees the count there.
      if (!wanted || BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) continue;
      const title = TITLE[language];
      const notice = new Notification({
        title: pending > 1 ? title.more(pending) : title.one,
        body: visible(`${card.channel} / ${card.sender_id}: ${card.capability.split(':').slice(0, 2).join(':')}`),
      });
      notice.on('click', () => options.open(card.token));
      notice.show();
      told.set(card.token, notice);
    }
  }

  async function follow(): Promise<void> {
    try {
      for await (const event of options.watch(stop.signal)) await take(event);
    } catch (error) {
      options.log(`notices of approvals: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (!stop.signal.aborted) retry = setTimeout(follow, RETRY_MS);
  }

  void follow();
  return () => {
    stop.abort();
    clearTimeout(retry);
    for (const notice of told.values()) notice?.close();
    told.clear();
  };
}
