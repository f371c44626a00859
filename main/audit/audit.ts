import type { IndexState } from '../../shared/rpc/audit.ts';
import type { Clock } from '../engine/clock.ts';
import type { Paths } from '../engine/paths.ts';
import type { AuditService } from '../engine/services.ts';
import { INDEX_STARTING, startIndexClient } from './index-client.ts';
import { liveRows } from './live.ts';
import type { StoreState } from './protocol.ts';

/**
 * The audit room: follows the verdict log, indexes it in panel.db, answers pages, raw lines, the live stream and
 * statistics (files page; vaglio page, section 5; panel page, "Live" and "Statistics"). A worker does the work;
 * SQL is in `main/db`. Imports neither policy nor vaglio: it reads what was logged and judges nothing.
 */
export interface Audit extends AuditService {
  /** How far the index has come; at once, from what the worker said last. */
  state(): IndexState;
  /** Where the index lives, and why not in panel.db where it does not. */
  store(): StoreState;
  /** Ends the worker. Streams end by their own signals. */
  close(): Promise<void>;
}

export interface AuditOptions {
  paths: Pick<Paths, 'verdictLog' | 'panelDb' | 'grantsDb' | 'approvalsDb' | 'auditHead'>;
  clock: Clock;
  /** The judge's threshold in force, in [0, 1]. */
  threshold: number;
  /** Another entry of the worker, for tests. */
  worker?: URL;
}

/** Starts the worker; returns at once. What the worker cannot do is told by `state` and `store`, never thrown here. */
export function createAuditService({ paths, clock, threshold, worker }: AuditOptions): Audit {
  const { verdictLog: folder, panelDb, grantsDb, approvalsDb, auditHead: headFile } = paths;
  const client = startIndexClient({ folder, panelDb, grantsDb, approvalsDb, headFile, compare: true }, worker);
  return {
    page: ({ filter, before, limit }) => client.ask('page', { filter: filter ?? {}, before, limit }),
    raw: ({ seq }) => client.ask('raw', { seq }),
    stats: ({ range }) => client.ask('stats', { range, now: clock(), threshold }),
    counts: ({ by, filter }) => client.ask('counts', { by, filter: filter ?? {} }),
    integrity: () => client.ask('integrity', null),
    verify: () => client.ask('verify', null),
    acknowledge: ({ ids }) => client.ask('acknowledge', { ids }),
    acts: (input) => client.ask('acts', input),
    live: ({ after }, signal) => liveRows(client, after, signal),
    state: () => client.tick()?.state ?? INDEX_STARTING,
    store: () => client.tick()?.store ?? { kind: 'file', problem: null },
    close: () => client.close(),
  };
}
