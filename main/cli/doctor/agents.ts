import type { AgentProbe, AgentView } from '../../../shared/rpc/agents.ts';
import type { Operator } from '../operator.ts';
import type { Finding } from './finding.ts';

/** One line for each agent: a call that has to be denied, played through its hook (agents page, "Adapters"). */
export async function checkAgents(operator: Operator): Promise<Finding[]> {
  const { agents } = await operator.query('agents', 'list', {});
  const findings: Finding[] = [];
  for (const agent of agents) {
    if (!agent.installed) {
      findings.push(absent(agent));
      continue;
    }
    const probe = await operator.mutate('agents', 'probe', { client: agent.client });
    findings.push(probed(agent, probe), ...unasked(agent, probe));
  }
  return findings;
}

function absent({ client, title, problem }: AgentView): Finding {
  if (problem !== null) return { name: client, state: 'failed', detail: problem };
  const detail = `${title} asks nobody: vaglio install ${client} changes that.`;
  return { name: client, state: 'unused', detail };
}

function probed({ client, path, last }: AgentView, { state, detail }: AgentProbe): Finding {
  const asked = last === null ? 'No call of it is on record.' : `Its last call: ${last.executor}, ${last.decision}.`;
  switch (state) {
    case 'guarded':
      return { name: client, state: 'ok', detail: `${detail} ${asked}` };
    case 'denied':
      return { name: client, state: 'warning', detail: `${detail} Nothing runs until that is mended.` };
    case 'open':
    case 'absent':
      return { name: client, state: 'failed', detail: `${detail} (${path}) Do not let it run.` };
    default:
      return state satisfies never;
  }
}

function unasked({ client, title }: AgentView, probe: AgentProbe): Finding[] {
  if (probe.unasked === null || probe.unasked.calls === 0) return [];
  const { calls, of, sessions } = probe.unasked;
  const detail = `${title} noted ${of} calls in the last day and did not ask about ${calls} of them, in ${sessions} sessions.`;
  return [{ name: `${client} transcripts`, state: 'warning', detail }];
}
