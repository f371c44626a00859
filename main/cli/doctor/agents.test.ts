import { expect, test } from 'vitest';
import type { AgentProbe, AgentView } from '../../../shared/rpc/agents.ts';
import type { Operator } from '../operator.ts';
import { checkAgents } from './agents.ts';

const agent = (change: Partial<AgentView>): AgentView => ({
  client: 'claude-code',
  title: 'Claude Code',
  path: '/h/.claude/settings.json',
  installed: true,
  problem: null,
  last: null,
  probe: null,
  ...change,
});

function operator(view: AgentView, probe: Partial<AgentProbe>): Operator {
  const answer = { at: 1, state: 'guarded', detail: 'Seen.', unasked: null, ...probe };
  return {
    enginePid: 1,
    query: async () => ({ agents: [view] }) as never,
    mutate: async () => answer as never,
  };
}

test.each([
  [agent({ installed: false }), {}, ['unused']],
  [agent({ installed: false, problem: 'cannot be read' }), {}, ['failed']],
  [agent({}), {}, ['ok']],
  [agent({}), { state: 'denied' as const }, ['warning']],
  [agent({}), { state: 'open' as const }, ['failed']],
  [agent({}), { state: 'absent' as const }, ['failed']],
  [agent({}), { unasked: { calls: 0, of: 9, sessions: 0 } }, ['ok']],
  [agent({}), { unasked: { calls: 2, of: 9, sessions: 1 } }, ['ok', 'warning']],
])('%j that is probed with %j', async (view, probe, states) => {
  const findings = await checkAgents(operator(view, probe));
  expect(findings.map(({ state }) => state)).toEqual(states);
});
