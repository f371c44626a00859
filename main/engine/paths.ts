import { join } from 'node:path';

/** Where everything lies (files page). Pure: environment and home are arguments. */
export interface Paths {
  home: string;
  /** Folder of the verdict log's month files. */
  verdictLog: string;
  turnLog: string;
  grantsDb: string;
  approvalsDb: string;
  pairingsDb: string;
  panelDb: string;
  /** Head of the record, kept outside the database. */
  auditHead: string;
  configFile: string;
  overridesFile: string;
  /** Folder of the executors' manifests; null where no installation is named. */
  executors: string | null;
  /** The user's ends (constitution page, section 4). */
  telosFile: string;
  /** EMA of each telos, written by another program. */
  telosEmas: string;
  stateDir: string;
  lockFile: string;
}

/** @param env as `process.env`; an empty value counts as not set. */
export function resolvePaths(env: Readonly<Record<string, string | undefined>>, home: string): Paths {
  const data = env.METNOS_USER_DATA || join(home, '.local/share/metnos');
  const state = env.METNOS_USER_STATE || join(home, '.local/state/metnos');
  const config = env.METNOS_USER_CONFIG || join(home, '.config/metnos');
  return {
    home,
    verdictLog: join(data, 'vaglio'),
    turnLog: join(data, 'turns'),
    grantsDb: env.METNOS_GRANTS_DB || join(state, 'grants.db'),
    approvalsDb: env.METNOS_APPROVALS_DB || join(state, 'approvals.db'),
    pairingsDb: env.METNOS_PAIRINGS_DB || join(state, 'pairings.db'),
    panelDb: join(state, 'panel.db'),
    auditHead: join(state, 'audit-head.json'),
    configFile: join(config, 'config.yaml'),
    overridesFile: join(config, 'policy_overrides.toml'),
    executors: env.METNOS_INSTALL_ROOT ? join(env.METNOS_INSTALL_ROOT, 'executors') : null,
    telosFile: join(workspaceOf(env, data), 'TELOS.md'),
    telosEmas: env.METNOS_TELOS_EMA || join(state, 'telos_ema.json'),
    stateDir: state,
    lockFile: join(state, 'panel.lock'),
  };
}

/** Without an installation of Metnos the user's ends have a place among our own data. */
function workspaceOf(env: Readonly<Record<string, string | undefined>>, data: string): string {
  if (env.METNOS_WORKSPACE) return env.METNOS_WORKSPACE;
  return env.METNOS_INSTALL_ROOT ? join(env.METNOS_INSTALL_ROOT, 'workspace') : join(data, 'workspace');
}

/** The panel's own files wherever they were moved to: no agent's step may change them (constitution page, laws 2 and 3). */
export function controlPaths(paths: Paths): string[] {
  const { verdictLog, turnLog, grantsDb, approvalsDb, pairingsDb, panelDb, auditHead } = paths;
  const record = [verdictLog, turnLog, grantsDb, approvalsDb, pairingsDb, panelDb, auditHead];
  return [...record, paths.configFile, paths.overridesFile, paths.lockFile, join(paths.stateDir, 'vaglio.sock')];
}
