import { join } from 'node:path';
import { type AgentClient, type AgentProbe, agentProbeSchema } from '../../shared/rpc/agents.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { readSetting, writeSetting } from '../db/settings.ts';
import type { Clock } from '../engine/clock.ts';
import type { AgentsService, LineService } from '../engine/services.ts';
import { CLIENT_NAMES, CLIENTS, type Place } from './install/clients.ts';
import { findHookCommand, type HookCommand } from './install/hook-command.ts';
import { applyChange, lookAtInstalled, planInstall, planUninstall, type SettingsChange } from './install/install.ts';
import { probeInstalled } from './install/probe.ts';
import { countToolUses } from './install/transcripts.ts';

const DAY_MS = 86_400_000;
/** More calls of one session are not counted. */
const MOST = 500;

/** The agents' settings, and what they were seen to do (agents page, "Adapters"). */
export function createAgentsService(deps: {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  clock: Clock;
  panel: PanelStore;
  decisions: LineService['decisions'];
  /** Absent: as this program finds its own. */
  command?: () => HookCommand;
}): AgentsService {
  const { env, home, clock, panel, decisions, command = () => findHookCommand(env) } = deps;
  const place = (project: string | undefined): Place => ({ env, home, project: project ?? null });
  const key = (client: AgentClient): string => `agent-probe:${client}`;

  const carryOut = (planned: SettingsChange, isDry: boolean | undefined) => {
    const backup = isDry ? null : applyChange(planned, clock());
    const { path, diff, notes } = planned;
    return { path, diff, notes, backup, written: !isDry && diff.length > 0 };
  };

  const lastProbe = (client: AgentClient): AgentProbe | null => {
    try {
      const text = panel.read((db) => readSetting(db, key(client)));
      return text === null ? null : (agentProbeSchema.safeParse(JSON.parse(text)).data ?? null);
    } catch {
      return null;
    }
  };

  const lastCall = async (client: AgentClient) => {
    const { rows } = await decisions({ limit: 1, channel: client });
    const [row] = rows;
    return row === undefined ? null : { at: row.at, executor: row.executor, decision: row.decision, rule: row.rule };
  };

  /** Codex and Gemini CLI name no session that we could count by. */
  const unaskedOf = async (client: AgentClient): Promise<AgentProbe['unasked']> => {
    if (client !== 'claude-code') return null;
    const since = clock() - DAY_MS;
    const { sessions } = await countToolUses(join(CLIENTS[client].folder(place(undefined)), 'projects'), since);
    const found = { calls: 0, of: 0, sessions: 0 };
    for (const [session, calls] of sessions) {
      const { rows } = await decisions({ limit: MOST, channel: client, turn_id: session, from_ms: since });
      const unasked = Math.max(0, Math.min(calls, MOST) - rows.length);
      found.of += calls;
      found.calls += unasked;
      if (unasked > 0) found.sessions += 1;
    }
    return found;
  };

  return {
    list: async () => ({
      agents: await Promise.all(
        CLIENT_NAMES.map(async (client) => {
          const { path, command: words, problem } = lookAtInstalled(client, place(undefined));
          return {
            client,
            title: CLIENTS[client].title,
            path,
            installed: words !== null,
            problem,
            last: await lastCall(client),
            probe: lastProbe(client),
          };
        }),
      ),
    }),
    install: ({ client, project, dry_run }) => carryOut(planInstall(client, place(project), command()), dry_run),
    uninstall: ({ client, project, dry_run }) => carryOut(planUninstall(client, place(project)), dry_run),
    probe: async ({ client }) => {
      const { state, detail } = await probeInstalled(lookAtInstalled(client, place(undefined)), { env, home });
      const probe = { at: clock(), state, detail, unasked: await unaskedOf(client) };
      panel.write((db) => writeSetting(db, key(client), JSON.stringify(probe)));
      return probe;
    },
  };
}
