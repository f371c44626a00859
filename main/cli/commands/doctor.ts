import type { Command } from 'commander';
import { agentSocketPath } from '../../agents/socket-file.ts';
import { resolvePaths } from '../../engine/paths.ts';
import { VERSION } from '../../engine/version.ts';
import type { StreamContext } from '../context.ts';
import { checkAgents } from '../doctor/agents.ts';
import { checkDoor } from '../doctor/door.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkRights } from '../doctor/rights.ts';
import { asOperator } from '../operator.ts';
import { jsonLine, printable } from '../printable.ts';

const MARK: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  failed: 'FAILED ',
  unused: 'unused ',
};

/** `vaglio doctor`: whether agents would be held up here. Exit 0 when nothing failed, 1 otherwise. */
export function registerDoctor(program: Command, ctx: StreamContext): void {
  program
    .command('doctor')
    .description('check files, rights, engine and socket, and play a call that has to be denied')
    .option('--json', 'one JSON object a line')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(ctx);
      for (const { name, state, detail } of findings) {
        ctx.out(json ? jsonLine({ name, state, detail }) : `${MARK[state]} ${name}: ${printable(detail)}`);
      }
      ctx.setExit(findings.some(({ state }) => state === 'failed') ? 1 : 0);
    });
}

async function examine(ctx: StreamContext): Promise<Finding[]> {
  const paths = resolvePaths(ctx.env, ctx.home);
  return [
    ...checkRights(paths),
    ...(await checkEngine(ctx)),
    ...(await checkManifests(ctx)),
    ...(await checkDoor(agentSocketPath(paths.stateDir, process.platform), VERSION)),
  ];
}

/** The engine, and how it sees its files. */
async function checkEngine(ctx: StreamContext): Promise<Finding[]> {
  try {
    return await asOperator(ctx, async (operator) => {
      const { resources } = await operator.query('app', 'health', {});
      const files = resources.map(({ name, path, state, detail }): Finding => {
        if (state === 'ok') return { name, state: 'ok', detail: path };
        if (state === 'missing') return { name, state: 'ok', detail: `${path} (not there yet)` };
        return { name, state: 'failed', detail: `${path} is ${state}${detail === null ? '' : `: ${detail}`}` };
      });
      const pid = operator.enginePid;
      const engine: Finding =
        pid === null
          ? {
              name: 'engine',
              state: 'failed',
              detail: 'No engine runs: agents are denied everything. Open the panel or run `vaglio serve`.',
            }
          : { name: 'engine', state: 'ok', detail: `process ${pid}` };
      return [engine, ...files, ...(await checkAgents(operator))];
    });
  } catch (error) {
    return [{ name: 'engine', state: 'failed', detail: error instanceof Error ? error.message : String(error) }];
  }
}

async function checkManifests(ctx: StreamContext): Promise<Finding[]> {
  const name = 'executors';
  const { executors } = resolvePaths(ctx.env, ctx.home);
  if (executors === null)
    return [
      { name, state: 'ok', detail: 'METNOS_INSTALL_ROOT is not set: capabilities come from the names of executors.' },
    ];
  const { createCatalogue } = await import('../../pipeline/catalogue.ts');
  const { folder, found, faults } = createCatalogue(executors).check();
  const broken = faults.map(({ path, why }): Finding => ({ name, state: 'failed', detail: `${path} ${why}` }));
  return [{ name, state: 'ok', detail: `${found} manifests in ${folder ?? executors}` }, ...broken];
}
