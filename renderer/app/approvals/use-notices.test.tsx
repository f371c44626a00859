import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installFakeRpc } from '../../test/fake-rpc.ts';
import { useInfo } from '../info.store.ts';
import { applyPreferences } from '../preferences.store.ts';
import { card } from './approval.fixture.ts';
import { useApprovals } from './approvals.store.ts';
import { useNotices } from './notices.store.ts';
import { useNoticesOfApprovals } from './use-notices.ts';

const made: string[] = [];
class FakeNotification {
  static permission = 'granted';
  onclick: (() => void) | null = null;
  constructor(title: string) {
    made.push(title);
  }
  close(): void {}
}

beforeEach(() => {
  made.length = 0;
  installFakeRpc({});
  vi.stubGlobal('Notification', FakeNotification);
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  useNotices.setState({ permission: 'granted' });
  useInfo.setState({ info: { host: 'browser' } as never });
  useApprovals.setState({ cards: [], pending: 0 });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  [true, 1],
  [false, 0],
])('with notices switched on: %s, a waiting call makes %i', (notifications, count) => {
  applyPreferences({ language: 'en', theme: 'system', notifications, claude_transcripts: false });
  renderHook(() => useNoticesOfApprovals());
  act(() => useApprovals.setState({ cards: [card()], pending: 1 }));
  expect(made).toHaveLength(count);
});
