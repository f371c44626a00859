import { approvalsContract } from '../../../shared/rpc/approvals.ts';
import { mutation, query, subscription } from '../procedures.ts';

export const approvalsHandlers = {
  list: query(approvalsContract.list, ({ approvals }, input) => approvals.list(input)),
  count: query(approvalsContract.count, ({ approvals }, input) => approvals.count(input)),
  resolve: mutation(approvalsContract.resolve, ({ approvals }, input) => approvals.resolve(input)),
  checkSimilar: query(approvalsContract.checkSimilar, ({ approvals }, input) => approvals.checkSimilar(input)),
  watch: subscription(approvalsContract.watch, ({ approvals }, input, signal) => approvals.watch(input, signal)),
  silenced: query(approvalsContract.silenced, ({ approvals }, input) => approvals.silenced(input)),
  unsilence: mutation(approvalsContract.unsilence, ({ approvals }, input) => approvals.unsilence(input)),
};
