import { agentsContract } from './agents.ts';
import { appContract } from './app.ts';
import { approvalsContract } from './approvals.ts';
import { auditContract } from './audit.ts';
import { grantsContract } from './grants.ts';
import { levelContract } from './level.ts';
import { lineContract } from './line.ts';
import { policyContract } from './policy.ts';
import { proposalsContract } from './proposals.ts';
import { turnsContract } from './turns.ts';

/** Every method there is, `domain.verb`. The router, both transports and their tests go through this list. */
export const contract = {
  agents: agentsContract,
  app: appContract,
  approvals: approvalsContract,
  audit: auditContract,
  grants: grantsContract,
  level: levelContract,
  line: lineContract,
  policy: policyContract,
  proposals: proposalsContract,
  turns: turnsContract,
} as const;
export type Contract = typeof contract;
