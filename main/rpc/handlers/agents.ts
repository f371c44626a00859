import { agentsContract } from '../../../shared/rpc/agents.ts';
import { mutation, query } from '../procedures.ts';

export const agentsHandlers = {
  list: query(agentsContract.list, ({ agents }, input) => agents.list(input)),
  install: mutation(agentsContract.install, ({ agents }, input) => agents.install(input)),
  uninstall: mutation(agentsContract.uninstall, ({ agents }, input) => agents.uninstall(input)),
  probe: mutation(agentsContract.probe, ({ agents }, input) => agents.probe(input)),
};
