import { beforeEach, expect, test, vi } from 'vitest';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import type { IndexState } from '../../../shared/rpc/audit.ts';
import { installFakeRpc } from '../../test/fake-rpc.ts';
import { verdict } from '../../verdicts/verdict.fixture.ts';
import { catchUp, loadOlder, setAway, setFilter, setPaused, takeLive, useLive } from './live.store.ts';
import { LiveList } from './live-list.logic.ts';

const following: IndexState = {
  phase: 'following',
  files: 1,
  lines: 1,
  unreadable: 0,
  unreadable_at: [],
  events: 0,
  problem: null,
  detail: null,
};

const frames: (() => void)[] = [];
vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
vi.stubGlobal('cancelAnimationFrame', () => {});
const nextFrame = () => {
  for (const run of frames.splice(0)) run();
};

const shown = () => {
  const { list } = useLive.getState();
  return Array.from({ length: list.length }, (_, index) => list.row(index)?.seq);
};
const settle = () => vi.waitFor(() => expect(useLive.getState().loading).toBe(false));

interface PageInput {
  filter?: { executor?: string };
  before?: number;
}
let pages: (input: PageInput) => { rows: VerdictRow[]; more: boolean };

beforeEach(() => {
  frames.length = 0;
  useLive.setState({
    list: new LiveList(),
    index: following,
    filter: {},
    paused: false,
    away: false,
    open: null,
    current: null,
    loading: true,
    problem: null,
    older: 'idle',
  });
  pages = () => ({ rows: [verdict(2), verdict(1)], more: true });
  installFakeRpc({ 'audit.page': (input: PageInput) => ({ ...pages(input), index: following }) });
});

test('takes rows in once a frame', async () => {
  setFilter({});
  await settle();
  takeLive({ rows: [verdict(3)], index: following });
  takeLive({ rows: [verdict(4)], index: following });
  expect(shown()).toEqual([2, 1]);
  expect(frames).toHaveLength(1);
  nextFrame();
  expect(shown()).toEqual([4, 3, 2, 1]);
});

test('does not wait for a frame when a hidden window gets many', async () => {
  setFilter({});
  await settle();
  takeLive({ rows: Array.from({ length: 2001 }, (_, index) => verdict(index + 3)), index: following });
  expect(useLive.getState().list.length).toBe(2003);
});

test('keeps rows aside while paused and while scrolled away, and loses none', async () => {
  setFilter({});
  await settle();
  setPaused(true);
  takeLive({ rows: [verdict(3)], index: following });
  nextFrame();
  setAway(true);
  setPaused(false);
  takeLive({ rows: [verdict(4)], index: following });
  nextFrame();
  expect(shown()).toEqual([2, 1]);
  expect(useLive.getState().list.waiting).toBe(2);
  catchUp();
  expect(shown()).toEqual([4, 3, 2, 1]);
});

test('a row that arrives while the first page is on its way is not lost', async () => {
  setFilter({});
  takeLive({ rows: [verdict(3)], index: following });
  nextFrame();
  await settle();
  expect(shown()).toEqual([3, 2, 1]);
});

test('lets in only what the filter asks for, and notes how far the stream is all the same', async () => {
  pages = () => ({ rows: [], more: false });
  setFilter({ executor: 'shell_exec' });
  await settle();
  takeLive({ rows: [verdict(3), verdict(4, { executor: 'shell_exec' }), verdict(5)], index: following });
  nextFrame();
  expect(shown()).toEqual([4]);
  expect(useLive.getState().list.lastSeq).toBe(5);
});

test('an answer for an old filter does not replace the new one', async () => {
  pages = (input) => ({ rows: [verdict(input.filter?.executor === 'a' ? 10 : 20)], more: false });
  setFilter({ executor: 'a' });
  setFilter({ executor: 'b' });
  await settle();
  expect(shown()).toEqual([20]);
});

test('loads older pages behind the last row until there are none', async () => {
  setFilter({});
  await settle();
  pages = (input) => ({ rows: input.before === 1 ? [verdict(0)] : [], more: false });
  await loadOlder();
  expect(shown()).toEqual([2, 1, 0]);
  expect(useLive.getState().list.more).toBe(false);
});

test('loads the page anew when the index was rebuilt', async () => {
  setFilter({});
  await settle();
  pages = () => ({ rows: [verdict(1, { intent: 'rebuilt' })], more: false });
  takeLive({ rows: [], reset: true, index: following });
  await vi.waitFor(() => expect(useLive.getState().list.row(0)?.intent).toBe('rebuilt'));
  expect(useLive.getState().list.lastSeq).toBe(1);
});

test('an index that has just become ready fills a list that stands still only when it moves again', async () => {
  setFilter({});
  await settle();
  setPaused(true);
  useLive.setState({ index: { ...following, phase: 'indexing' } });
  pages = () => ({ rows: [verdict(7)], more: false });
  takeLive({ rows: [], index: following });
  await Promise.resolve();
  expect(shown()).toEqual([2, 1]);
  setPaused(false);
  await vi.waitFor(() => expect(shown()).toEqual([7]));
});
