import { useState } from 'react';
import type { AgentView } from '../../../shared/rpc/agents.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { AgentRow } from './agent-row.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { SettingGroup } from './setting-group.tsx';
import { useSettingsText } from './strings.ts';

/** The agents that can be made to ask, and how their hooks fare (agents page, "Adapters"). */
export function AgentsGroup() {
  const t = useSettingsText();
  const { data, problem, refetch } = useQuery(rpc.agents.list, {});
  const [change, setChange] = useState<{ agent: AgentView; verb: 'install' | 'uninstall' } | null>(null);
  return (
    <SettingGroup title={t('agents.title')} lead={t('agents.lead')}>
      {problem && (
        <div className="p-4">
          <ErrorStrip problem={problem} onRetry={refetch} />
        </div>
      )}
      {!data && !problem && <SkeletonRows rows={6} />}
      <ul>
        {data?.agents.map((agent) => (
          <AgentRow
            key={agent.client}
            agent={agent}
            onProbed={refetch}
            onChange={(verb) => setChange({ agent, verb })}
          />
        ))}
        <li className="px-4 py-2.5" data-testid="agent-mcp">
          <p className="font-medium">{t('mcp.title')}</p>
          <p className="mt-0.5 text-soft text-pretty">
            {t('mcp.text')} <CodeText>vaglio mcp --</CodeText>
          </p>
        </li>
      </ul>
      {change && (
        <ChangeDialog agent={change.agent} verb={change.verb} onChanged={refetch} onClose={() => setChange(null)} />
      )}
    </SettingGroup>
  );
}
