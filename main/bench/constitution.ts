import { readAction } from '../constitution/action.ts';
import { judgedAction } from '../constitution/evaluate.ts';
import { CONSTITUTION, guardAction } from '../constitution/laws/constitution.ts';
import { createPlaces } from '../constitution/laws/places.ts';
import { realPath } from '../grants/real-path.ts';
import { structureLayer } from '../vaglio/structure-layer.ts';
import { print, rate, round } from './measure.ts';

const HOME = '/home/user';

/**
 * `npm run bench -- constitution`: the four laws, with links resolved on the disk and the structural layer on
 * (constitution page, section 1: under 1 ms).
 */
export function benchConstitution(): void {
  const record = ['vaglio', 'turns'].map((folder) => `${HOME}/.local/share/metnos/${folder}`);
  const databases = ['grants', 'approvals', 'pairings', 'panel'].map(
    (name) => `${HOME}/.local/state/metnos/${name}.db`,
  );
  const settings = [`${HOME}/.config/metnos/config.yaml`, `${HOME}/.claude/settings.json`];
  const layer = structureLayer('on');
  const facts = {
    home: HOME,
    passwd: () => null,
    realpath: realPath,
    places: createPlaces({ settings, record: [...record, ...databases] }, HOME),
    declared: () => null,
    structural: (call: { executor: string; args: unknown; context: unknown }) =>
      layer?.(call.executor, call.args, call.context, HOME).block?.reason ?? null,
    levelInForce: () => 'Supervised' as const,
    hasGrant: () => false,
    hasApproval: () => false,
    isUnwanted: () => false,
  };
  const said = { plan: 'p', impact: 'i', rationale: 'r', reversibility: 'reversible' };
  const actions = [
    { ...said, kind: 'write_files', capability: 'fs:write', targets: ['~/notes/a.md'], args: { path: '~/notes/a.md' } },
    { ...said, kind: 'shell_exec', capability: 'code:exec', args: { command: 'tar czf notes.tgz notes && ls -la' } },
    { ...said, kind: 'send_mail', capability: 'mail:send', targets: ['a@b.org'], args: { text: 'words '.repeat(500) } },
    { ...said, kind: 'read_files', targets: [`${HOME}/.local/state/metnos/grants.db`] },
  ].map((action) => judgedAction(readAction(action, 'proactive'), 'proactive'));
  const judge = (index: number) => {
    const action = actions[index % actions.length];
    return action && guardAction(CONSTITUTION, action, facts);
  };
  const { ops_per_s, p50_us, p99_us } = rate(judge);
  const figures = { ops_per_s: round(ops_per_s), p50_us: round(p50_us), p99_us: round(p99_us) };
  print({ name: 'constitution guard', ...figures, budget: '< 1 ms' });
}
