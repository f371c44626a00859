import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApprovalCard } from '../../shared/domain/approval.ts';
import { BrowserWindow, calls, Notification, restartElectron } from './electron.stand-in.ts';
import { languageOf, tellOfApprovals } from './notifications.ts';
import { isPanelUrl } from './panel-scheme.ts';
import { cardUrl } from './panel-window.ts';

type Event = { pending: number; cards: readonly ApprovalCard[] };

const card = (token: string, more: Partial<ApprovalCard> = {}): ApprovalCard => ({
  token,
  channel: 'telegram',
  sender_id: 'roberto',
  status: 'pending',
  created_ms: 0,
  expires_ms: null,
  decided_ms: null,
  decided_by: null,
  ours: true,
  waiting: true,
  verb: 'send',
  intent: 'tell my secret',
  executor: 'send_mail',
  object: 'secret@example.com',
  from: null,
  to: null,
  bytes: null,
  count: 1,
  args_text: null,
  capability: 'mail:send',
  critical: true,
  reversible: false,
  depth: 'full',
  asked_before: 0,
  similar: null,
  problem: null,
  ...more,
});

/** A watch that gives what it is told to. */
function feed() {
  const waiting: Event[] = [];
  let wake: () => void = () => undefined;
  async function* watch(signal: AbortSignal): AsyncIterable<Event> {
    signal.addEventListener('abort', () => wake());
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next) yield next;
      else
        await new Promise<void>((done) => {
          wake = done;
        });
    }
  }
  return {
    watch,
    give: async (...cards: ApprovalCard[]) => {
      waiting.push({ pending: cards.length, cards });
      wake();
      await vi.waitFor(() => expect(waiting).toHaveLength(0));
      await new Promise((done) => setImmediate(done));
    },
  };
}

const opened: string[] = [];
let wanted = true;
const lines: string[] = [];
let stop: () => void = () => undefined;

function start(watch: (signal: AbortSignal) => AsyncIterable<Event>, language: 'en' | 'it' = 'en'): void {
  const open = (token: string) => void opened.push(token);
  stop = tellOfApprovals({
    watch,
    wanted: () => wanted,
    language: () => language,
    open,
    log: (line) => void lines.push(line),
  });
}
const shown = () => calls.filter(({ name }) => name === 'notification.show').map(({ args }) => args[0] as Notification);

beforeEach(() => {
  restartElectron();
  BrowserWindow.focused = null;
  Notification.supported = true;
  wanted = true;
  opened.length = 0;
  lines.length = 0;
});
afterEach(() => stop());

test('each card is told of once, with who and which capability and nothing of what is asked', async () => {
  const source = feed();
  start(source.watch);
  await source.give(card('a'));
  await source.give(card('a'), card('b', { capability: 'fs:write:~/Archivio/**' }));
  expect(shown().map(({ options }) => options)).toEqual([
    { title: 'Vaglio: 1 call waits for you', body: 'telegram / roberto: mail:send' },
    { title: 'Vaglio: 2 calls wait for you', body: 'telegram / roberto: fs:write' },
  ]);
  expect(JSON.stringify(shown().map(({ options }) => options))).not.toMatch(/secret|Archivio/);
});

test('who has switched notices off gets none, and none of what was passed over later', async () => {
  const source = feed();
  wanted = false;
  start(source.watch);
  await source.give(card('a'));
  wanted = true;
  await source.give(card('a'), card('b'));
  expect(shown()).toHaveLength(1);
});

test('a click opens the card; there is nothing on a notice that decides', async () => {
  const source = feed();
  start(source.watch, 'it');
  await source.give(card('a'));
  const [notice] = shown();
  expect(Object.keys(notice?.options ?? {})).toEqual(['title', 'body']);
  expect(notice?.options.title).toBe('Vaglio: 1 chiamata ti aspetta');
  notice?.emit('click');
  expect(opened).toEqual(['a']);
});

test('a notice goes with its card, and all go at the end', async () => {
  const source = feed();
  start(source.watch);
  await source.give(card('a'), card('b'));
  await source.give(card('b'));
  const closed = () =>
    calls.filter(({ name }) => name === 'notification.close').map(({ args }) => (args[0] as Notification).options.body);
  expect(closed()).toHaveLength(1);
  stop();
  expect(closed()).toHaveLength(2);
});

test('nothing is shown to someone who has the window before them, nor later for the same card', async () => {
  const source = feed();
  BrowserWindow.focused = {};
  start(source.watch);
  await source.give(card('a'));
  BrowserWindow.focused = null;
  await source.give(card('a'));
  expect(shown()).toEqual([]);
});

test('where the system has no notices nothing is tried', async () => {
  const source = feed();
  Notification.supported = false;
  start(source.watch);
  await source.give(card('a'));
  expect(shown()).toEqual([]);
});

test('a name from outside cannot hide or turn anything', async () => {
  const source = feed();
  start(source.watch);
  await source.give(card('a', { sender_id: 'r\u202eo\u200bb\n'.padEnd(500, 'x') }));
  const body = shown()[0]?.options.body ?? '';
  expect(body).not.toMatch(/[\u202e\u200b\n]/);
  expect(body.length).toBeLessThanOrEqual(80);
});

test('a watch that fails is said and begun again', async () => {
  vi.useFakeTimers();
  let begun = 0;
  start(() => {
    begun += 1;
    throw new Error('approvals.db is locked');
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(lines).toEqual(['notices of approvals: approvals.db is locked']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun).toBe(2);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toBe(2);
  vi.useRealTimers();
});

test.each([
  ['it', 'it'],
  ['it-CH', 'it'],
  ['en-US', 'en'],
  ['itx', 'en'],
  ['', 'en'],
])('a system in "%s" is told in %s', (locale, expected) => {
  expect(languageOf(locale)).toBe(expected);
});

test.each(['991b8239f3b34c9f', '12e34', '1234567890123456', 'a"&#/../x'])(
  'the card %s has an address of ours',
  (token) => {
    const url = cardUrl(token);
    expect(isPanelUrl(url)).toBe(true);
    const query = new URLSearchParams(new URL(url).hash.split('?')[1]);
    // The panel's router reads each value as JSON where it can.
    expect(JSON.parse(query.get('card') ?? '')).toBe(token);
  },
);
