import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentView } from '../../../shared/rpc/agents.ts';
import type { JudgeSettings, SettingSource } from '../../../shared/rpc/app.ts';
import { useInfo } from '../../app/info.store.ts';
import { applyPreferences } from '../../app/preferences.store.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { SettingsPage } from './settings-page.tsx';

const agent = (more: Partial<AgentView> = {}): AgentView => ({
  client: 'claude-code',
  title: 'Claude Code',
  path: '/home/anna/.claude/settings.json',
  installed: false,
  problem: null,
  last: null,
  probe: null,
  ...more,
});

const setting = <T,>(value: T, source: SettingSource = { kind: 'default' }) => ({
  value,
  source,
  key: 'vaglio.judge.x',
  variable: null,
});
const judge: JudgeSettings = {
  kind: setting('rule-based-v1'),
  threshold: {
    ...setting(0.4, { kind: 'environment', variable: 'METNOS_JUDGE_THRESHOLD' }),
    variable: 'METNOS_JUDGE_THRESHOLD',
  },
  threshold_llm: setting(0.3),
  daily_calls: setting(200, { kind: 'file', line: 3 }),
  timeout_ms: setting(10_000),
  safe_verb_shortcut: setting(false),
  structure: setting(false),
  model: setting({
    provider: 'openai',
    model: 'm',
    tier: 'default',
    base_url: null,
    has_key: false,
    needs_key: true,
    key_variables: ['OPENAI_API_KEY'],
  }),
};

const diff = [' {', '+  "hooks": {}', ' }'];
const change = {
  path: '/home/anna/.claude/settings.json',
  diff,
  written: false,
  backup: null,
  notes: ['Start it again.'],
};

beforeEach(() => {
  applyPreferences(null);
  useInfo.setState({ info: null });
});
afterEach(cleanup);

function show(handlers: Handlers = {}) {
  const fake = installFakeRpc({
    'agents.list': () => ({ agents: [agent()] }),
    'app.settings': () => ({ judge, config_file: '/home/anna/config.yaml', decisions_days: 30 }),
    'app.health': () => ({
      resources: [{ name: 'grants', path: '/g.db', state: 'locked', advice: 'locked', detail: 'held by 42' }],
    }),
    ...handlers,
  });
  render(
    <TooltipProvider>
      <SettingsPage />
    </TooltipProvider>,
  );
  return fake;
}

test('each setting shows its value and where it comes from; what is missing or off is said', async () => {
  show();
  expect((await screen.findByTestId('setting-threshold')).textContent).toContain(
    '0.40from the variable METNOS_JUDGE_THRESHOLD',
  );
  expect(screen.getByTestId('setting-daily_calls').textContent).toContain('200from line 3 of the file');
  expect(screen.getByTestId('setting-structure').textContent).toContain('Off');
  expect(screen.getByTestId('setting-model').textContent).toContain('Missing. Set one of: OPENAI_API_KEY');
  expect(screen.getByTestId('file-grants').textContent).toContain('In use by another program');
  expect(screen.getByTestId('file-grants').textContent).toContain('held by 42');
});

test('installing shows the difference first, and writes only when that is confirmed', async () => {
  let installed = false;
  const fake = show({
    'agents.list': () => ({ agents: [agent({ installed })] }),
    'agents.install': ({ dry_run }: { dry_run?: boolean }) => {
      if (dry_run) return change;
      installed = true;
      return { ...change, written: true, backup: '/home/anna/.claude/settings.json.before' };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Install… Claude Code' }));
  const dialog = await screen.findByRole('dialog');
  expect((await within(dialog).findByTestId('diff')).textContent).toContain('"hooks"');
  expect(dialog.textContent).toContain('Nothing is written yet');
  expect(fake.inputsOf('agents.install')).toEqual([{ client: 'claude-code', dry_run: true }]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Install' }));
  await waitFor(() => expect(dialog.textContent).toContain('settings.json.before'));
  expect(fake.inputsOf('agents.install')[1]).toEqual({ client: 'claude-code' });
  expect(within(dialog).queryByRole('button', { name: 'Install' })).toBeNull();
  expect(dialog.textContent).toContain('Start it again.');
  await waitFor(() => expect(screen.getByTestId('agent-claude-code').dataset.installed).toBe('true'));
});

test('settings that cannot be read are told, and there is nothing to confirm', async () => {
  const fake = show({
    'agents.install': () => {
      throw engineError('damaged', 'settings.json is no JSON, and was left as it is.');
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Install… Claude Code' }));
  const dialog = await screen.findByRole('dialog');
  expect((await within(dialog).findByRole('alert')).textContent).toContain('was left as it is');
  expect((within(dialog).getByRole('button', { name: 'Install' }) as HTMLButtonElement).disabled).toBe(true);
  expect(fake.inputsOf('agents.install')).toHaveLength(1);
});

test('removing goes the same way', async () => {
  const fake = show({
    'agents.list': () => ({ agents: [agent({ installed: true })] }),
    'agents.uninstall': () => change,
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove… Claude Code' }));
  await screen.findByTestId('diff');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(fake.inputsOf('agents.uninstall')).toEqual([{ client: 'claude-code', dry_run: true }]);
});

test.each([
  ['guarded', 'Denied by the guard'],
  ['denied', 'because something failed'],
  ['open', 'Not denied: the call would have run'],
] as const)('a probe that is %s says so', async (state, words) => {
  let probe: AgentView['probe'] = null;
  show({
    'agents.list': () => ({ agents: [agent({ installed: true, probe })] }),
    'agents.probe': () => {
      probe = { at: Date.now(), state, detail: 'seen', unasked: { calls: 2, of: 9, sessions: 1 } };
      return probe;
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Probe Claude Code' }));
  const row = screen.getByTestId('agent-claude-code');
  await waitFor(() => expect(row.textContent).toContain(words));
  expect(row.textContent).toContain('2 of 9 tool calls of the last day ran without asking');
});

test('an installed hook that is not run does not look well', async () => {
  show({ 'agents.list': () => ({ agents: [agent({ installed: true, problem: 'all hooks are off' })] }) });
  const row = await screen.findByTestId('agent-claude-code');
  expect(row.textContent).toContain('Hook does not run');
  expect(row.textContent).toContain('all hooks are off');
});

test('a test of the judge shows the score and the model’s words as text', async () => {
  show({ 'app.testJudge': () => ({ outcome: 'answered', ms: 812.4, score: 0.8, detail: 'fits\u202e <b>well</b>' }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Test' }));
  const result = await screen.findByTestId('judge-test');
  expect(result.textContent).toContain('The model answers');
  expect(result.textContent).toContain('Score 0.80');
  expect(result.textContent).toContain('<b>well</b>');
  expect(within(result).getByText('RLO')).toBeTruthy();
});

test('a test without an answer says why', async () => {
  show({ 'app.testJudge': () => ({ outcome: 'no-answer', ms: 5, score: null, detail: 'HTTP 401' }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Test' }));
  expect((await screen.findByTestId('judge-test')).textContent).toContain('No answer');
  expect(screen.getByTestId('judge-test').textContent).toContain('HTTP 401');
});

test('the transcripts of Claude Code are off until they are switched on, and the switch says what the engine answers', async () => {
  const kept = { language: null, theme: 'system', notifications: true } as const;
  let answer = true;
  const fake = show({
    'app.setPreferences': ({ claude_transcripts }) => {
      if (!answer) throw new Error('panel.db cannot be written');
      return { ...kept, claude_transcripts: claude_transcripts ?? false };
    },
  });
  const row = screen.getByRole('switch', { name: /Turns of Claude Code/ });
  expect(row.getAttribute('aria-checked')).toBe('false');
  fireEvent.click(row);
  await waitFor(() => expect(row.getAttribute('aria-checked')).toBe('true'));
  expect(fake.inputsOf('app.setPreferences')).toEqual([{ claude_transcripts: true }]);
  answer = false;
  fireEvent.click(row);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(row.getAttribute('aria-checked')).toBe('true');
});

test('notices are switched off for good', async () => {
  const fake = show({
    'app.setPreferences': () => ({ language: null, theme: 'system', notifications: false, claude_transcripts: false }),
  });
  fireEvent.click(screen.getByRole('switch', { name: /Desktop notices/ }));
  await waitFor(() => expect(fake.inputsOf('app.setPreferences')).toEqual([{ notifications: false }]));
  expect(screen.getByRole('switch', { name: /Desktop notices/ }).getAttribute('aria-checked')).toBe('false');
});
