import type { IndexState } from '../../shared/rpc/audit.ts';
import { UserError } from '../engine/errors.ts';
import type { Paths } from '../engine/paths.ts';
import { type IndexSession, startIndexSession } from './index-session.ts';
import type { Tick } from './protocol.ts';

/**
 * The index for one question, in this thread, beside whatever panel runs (panel page, "Audit"): brought up to date,
 * made where there is none, and closed again.
 *
 * @param onProgress hears how a backlog goes
 * @throws UserError when panel.db cannot be used: what is found in the log must be kept
 */
export async function withIndex<T>(
  paths: Pick<Paths, 'verdictLog' | 'panelDb' | 'grantsDb' | 'approvalsDb' | 'auditHead'>,
  work: (ask: IndexSession['answer']) => T | Promise<T>,
  onProgress: (state: IndexState) => void = () => undefined,
): Promise<T> {
  let last: Tick | null = null;
  let hear: (tick: Tick) => void = (tick) => {
    last = tick;
  };
  const session = startIndexSession(
    {
      folder: paths.verdictLog,
      panelDb: paths.panelDb,
      grantsDb: paths.grantsDb,
      approvalsDb: paths.approvalsDb,
      headFile: paths.auditHead,
    },
    (tick) => hear(tick),
  );
  try {
    await new Promise<void>((done, fail) => {
      // The first ones come while the session starts.
      const early = last;
      hear = ({ state, store }) => {
        onProgress(state);
        if (store.problem !== null) fail(new UserError(store.problem.code, store.problem.message, paths.panelDb));
        else if (state.problem === 'unreadable' || state.problem === 'failed')
          fail(new UserError('unreadable', state.detail ?? paths.verdictLog, paths.verdictLog));
        else if (state.phase === 'following' && state.progress === undefined) done();
      };
      if (early !== null) hear(early);
    });
    return await work((op, input) => session.answer(op, input));
  } finally {
    session.close();
  }
}
