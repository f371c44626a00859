import { grantsContract } from '../../../shared/rpc/grants.ts';
import { mutation, query, subscription } from '../procedures.ts';

export const grantsHandlers = {
  list: query(grantsContract.list, ({ grants }, input) => grants.list(input)),
  preview: query(grantsContract.preview, ({ grants }, input) => grants.preview(input)),
  record: mutation(grantsContract.record, ({ grants }, input) => grants.record(input)),
  stale: query(grantsContract.stale, ({ grants }, input) => grants.stale(input)),
  revoke: mutation(grantsContract.revoke, ({ grants }, input) => grants.revoke(input)),
  restore: mutation(grantsContract.restore, ({ grants }, input) => grants.restore(input)),
  changed: subscription(grantsContract.changed, ({ grants }, input, signal) => grants.changed(input, signal)),
};
