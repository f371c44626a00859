import { accessSync, constants, statSync } from 'node:fs';
import type { ResourceHealth } from '../../shared/domain/health.ts';
import type { IndexState } from '../../shared/rpc/audit.ts';
import type { StoreState } from '../audit/protocol.ts';
import { openDatabase } from '../db/open.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Keeper } from '../pipeline/keeper.ts';
import type { VerdictLogHealth } from '../vaglio/log.ts';
import { type ErrorCode, UserError } from './errors.ts';
import type { Paths } from './paths.ts';

type State = ResourceHealth['state'];
type Found = Pick<ResourceHealth, 'state' | 'detail'>;

const OK: Found = { state: 'ok', detail: null };
const MISSING: Found = { state: 'missing', detail: null };
/** A look at the health must not wait for whoever holds a lock. */
const BUSY_MS = 50;

function stateOf(code: ErrorCode): State {
  switch (code) {
    case 'locked':
    case 'damaged':
    case 'unreadable':
    case 'read-only':
    case 'newer':
      return code;
    case 'not-found':
      return 'missing';
    case 'bad-input':
    case 'refused':
    case 'confirmation-needed':
    case 'conflict':
      return 'failed';
    default:
      return code satisfies never;
  }
}

function looking(look: () => Found): Found {
  try {
    return look();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    if (error instanceof UserError) return { state: stateOf(error.code), detail };
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isGone ? MISSING : { state: 'unreadable', detail };
  }
}

/** Somebody else's database: there, readable, with its table, and writable. */
function database(path: string, table: string): Found {
  const db = openDatabase(path, { mode: 'read', busyMs: BUSY_MS });
  if (db === null) return MISSING;
  try {
    const isEmpty = db.pragma('schema_version', { simple: true }) === 0;
    if (!isEmpty) db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get();
  } catch (error) {
    if (!/no such table/.test(String(error))) throw error;
    return { state: 'damaged', detail: `${path} has no table ${table}.` };
  } finally {
    db.close();
  }
  try {
    accessSync(path, constants.W_OK);
    return OK;
  } catch {
    return { state: 'read-only', detail: null };
  }
}

function folder(path: string): Found {
  if (!statSync(path).isDirectory()) return { state: 'unreadable', detail: `${path} is not a folder.` };
  accessSync(path, constants.R_OK | constants.X_OK);
  return OK;
}

function file(path: string): Found {
  if (!statSync(path).isFile()) return { state: 'unreadable', detail: `${path} is not a file.` };
  accessSync(path, constants.R_OK);
  return OK;
}

export interface HealthDeps {
  panel: PanelStore;
  index: IndexState;
  /** Where the audit index lives. */
  store: StoreState;
  log: VerdictLogHealth;
  keeper: Pick<Keeper, 'problem'>;
}

/** Writer and index follow the folder all the time, so they may know of something that a look now does not show. */
function log(path: string, { index, log: writer }: HealthDeps): Found {
  const now = looking(() => folder(path));
  if (writer.state !== 'ok') return { state: writer.state, detail: `${writer.missing} lines wait: ${writer.detail}` };
  if (now.state !== 'ok' || index.problem === null || index.problem === 'missing') return now;
  return { state: index.problem, detail: index.detail };
}

/** How everything on disk fares that the panel reads or writes (files page), looked at now. */
export function lookAtHealth(paths: Paths, deps: HealthDeps): ResourceHealth[] {
  const resource = (name: ResourceHealth['name'], path: string, look: () => Found): ResourceHealth => {
    const found = looking(look);
    return { name, path, state: found.state, advice: found.state, detail: found.detail };
  };
  return [
    resource('verdict-log', paths.verdictLog, () => log(paths.verdictLog, deps)),
    resource('turn-log', paths.turnLog, () => folder(paths.turnLog)),
    resource('grants', paths.grantsDb, () => database(paths.grantsDb, 'grants')),
    resource('approvals', paths.approvalsDb, () => database(paths.approvalsDb, 'pending')),
    resource('pairings', paths.pairingsDb, () => database(paths.pairingsDb, 'pairings')),
    resource('panel-db', paths.panelDb, () => {
      const problem = deps.panel.problem();
      if (problem !== null) throw problem;
      const kept = deps.keeper.problem();
      if (kept !== null) return { state: 'failed', detail: kept };
      const { kind, problem: why } = deps.store;
      return kind === 'file'
        ? OK
        : { state: 'failed', detail: `The audit index lives in memory: ${why ?? 'no reason given'}` };
    }),
    resource('config', paths.configFile, () => file(paths.configFile)),
  ];
}
