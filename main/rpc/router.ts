/**
 * The one router, made from the contract in `shared/rpc`; window, browser and CLI speak to it alike.
 * It may import handlers and the contract, no database and no transport.
 *
 * A client: `createTRPCClient<AppRouter>({ links: [wsLink({ client: createWSClient({ url, WebSocket? }) })] })`,
 * then `client.grants.list.query({})`, `client.grants.revoke.mutate({ ids })`,
 * `client.audit.live.subscribe({ after }, { onData, onError })`.
 *
 * - Browser: `url` is `ws://<location.host>/trpc`; the session cookie goes along by itself.
 * - Electron: `url` is `vaglio://ipc` (unused) and `WebSocket` is a socket look-alike over
 *   `window.vaglio.connect()`; its shape stands in `shared/rpc/bridge.ts`.
 *
 * An error's `data` has `userCode` (an `ErrorCode`, or `internal`) and `subject` (field, file or method, or null)
 * beside tRPC's own fields; `message` is one English sentence for a person.
 */
import { agentsHandlers } from './handlers/agents.ts';
import { appHandlers } from './handlers/app.ts';
import { approvalsHandlers } from './handlers/approvals.ts';
import { auditHandlers } from './handlers/audit.ts';
import { grantsHandlers } from './handlers/grants.ts';
import { levelHandlers } from './handlers/level.ts';
import { lineHandlers } from './handlers/line.ts';
import { policyHandlers } from './handlers/policy.ts';
import { proposalsHandlers } from './handlers/proposals.ts';
import { turnsHandlers } from './handlers/turns.ts';
import { router } from './procedures.ts';

export const appRouter = router({
  agents: router(agentsHandlers),
  app: router(appHandlers),
  approvals: router(approvalsHandlers),
  audit: router(auditHandlers),
  grants: router(grantsHandlers),
  level: router(levelHandlers),
  line: router(lineHandlers),
  policy: router(policyHandlers),
  proposals: router(proposalsHandlers),
  turns: router(turnsHandlers),
});
export type AppRouter = typeof appRouter;
