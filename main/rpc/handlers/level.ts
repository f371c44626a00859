import { levelContract } from '../../../shared/rpc/level.ts';
import { mutation, query, subscription } from '../procedures.ts';

export const levelHandlers = {
  state: query(levelContract.state, ({ level }, input) => level.state(input)),
  preview: query(levelContract.preview, ({ level }, input) => level.preview(input)),
  set: mutation(levelContract.set, ({ level }, input) => level.set(input)),
  freeze: mutation(levelContract.freeze, ({ level }, input) => level.freeze(input)),
  unfreeze: mutation(levelContract.unfreeze, ({ level }, input) => level.unfreeze(input)),
  history: query(levelContract.history, ({ level }, input) => level.history(input)),
  changed: subscription(levelContract.changed, ({ level }, input, signal) => level.changed(input, signal)),
};
