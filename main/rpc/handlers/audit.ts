import { auditContract } from '../../../shared/rpc/audit.ts';
import { mutation, query, subscription } from '../procedures.ts';

export const auditHandlers = {
  page: query(auditContract.page, ({ audit }, input) => audit.page(input)),
  raw: query(auditContract.raw, ({ audit }, input) => audit.raw(input)),
  live: subscription(auditContract.live, ({ audit }, input, signal) => audit.live(input, signal)),
  stats: query(auditContract.stats, ({ audit }, input) => audit.stats(input)),
  counts: query(auditContract.counts, ({ audit }, input) => audit.counts(input)),
  integrity: query(auditContract.integrity, ({ audit }, input) => audit.integrity(input)),
  verify: mutation(auditContract.verify, ({ audit }, input) => audit.verify(input)),
  acknowledge: mutation(auditContract.acknowledge, ({ audit }, input) => audit.acknowledge(input)),
  acts: query(auditContract.acts, ({ audit }, input) => audit.acts(input)),
};
