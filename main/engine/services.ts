import type { z } from 'zod';
import type { agentsContract } from '../../shared/rpc/agents.ts';
import type { appContract } from '../../shared/rpc/app.ts';
import type { approvalsContract } from '../../shared/rpc/approvals.ts';
import type { auditContract } from '../../shared/rpc/audit.ts';
import type { grantsContract } from '../../shared/rpc/grants.ts';
import type { levelContract } from '../../shared/rpc/level.ts';
import type { lineContract } from '../../shared/rpc/line.ts';
import type { policyContract } from '../../shared/rpc/policy.ts';
import type { proposalsContract } from '../../shared/rpc/proposals.ts';
import type { turnsContract } from '../../shared/rpc/turns.ts';

/**
 * What the handlers need from the engine: one service per domain of the contract, with the contract's
 * own shapes. Synchronous where the work is a few microseconds on the main thread, a promise where a
 * worker answers.
 */
type Entry = { kind: 'query' | 'mutation' | 'subscription'; input: z.ZodType; output: z.ZodType };
type ServiceOf<D extends Record<string, Entry>> = {
  [V in keyof D]: D[V]['kind'] extends 'subscription'
    ? (input: z.infer<D[V]['input']>, signal: AbortSignal) => AsyncIterable<z.infer<D[V]['output']>>
    : (input: z.infer<D[V]['input']>) => z.infer<D[V]['output']> | Promise<z.infer<D[V]['output']>>;
};

export type AgentsService = ServiceOf<typeof agentsContract>;
export type AppService = ServiceOf<typeof appContract>;
export type ApprovalsService = ServiceOf<typeof approvalsContract>;
export type AuditService = ServiceOf<typeof auditContract>;
export type GrantsService = ServiceOf<typeof grantsContract>;
export type LevelService = ServiceOf<typeof levelContract>;
export type LineService = ServiceOf<typeof lineContract>;
export type PolicyService = ServiceOf<typeof policyContract>;
export type ProposalsService = ServiceOf<typeof proposalsContract>;
export type TurnsService = ServiceOf<typeof turnsContract>;

export interface Services {
  agents: AgentsService;
  app: AppService;
  approvals: ApprovalsService;
  audit: AuditService;
  grants: GrantsService;
  level: LevelService;
  line: LineService;
  policy: PolicyService;
  proposals: ProposalsService;
  turns: TurnsService;
}
