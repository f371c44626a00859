import { policyContract } from '../../../shared/rpc/policy.ts';
import { query } from '../procedures.ts';

export const policyHandlers = {
  matrix: query(policyContract.matrix, ({ policy }, input) => policy.matrix(input)),
  fired: query(policyContract.fired, ({ policy }, input) => policy.fired(input)),
  calls: query(policyContract.calls, ({ policy }, input) => policy.calls(input)),
  compare: query(policyContract.compare, ({ policy }, input) => policy.compare(input)),
};
