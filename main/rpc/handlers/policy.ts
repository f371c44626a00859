import { policyContract } from '../../../shared/rpc/policy.ts';
import { query } from '../procedures.ts';

export const policyHandlers = {
  matrix: query(policyContract.matrix, ({ policy }, input) => policy.matrix(input)),
};
