import { proposalsContract } from '../../../shared/rpc/proposals.ts';
import { mutation, query, subscription } from '../procedures.ts';

export const proposalsHandlers = {
  evaluate: mutation(proposalsContract.evaluate, ({ proposals }, input) => proposals.evaluate(input)),
  list: query(proposalsContract.list, ({ proposals }, input) => proposals.list(input)),
  digest: query(proposalsContract.digest, ({ proposals }, input) => proposals.digest(input)),
  answer: mutation(proposalsContract.answer, ({ proposals }, input) => proposals.answer(input)),
  unwanted: query(proposalsContract.unwanted, ({ proposals }, input) => proposals.unwanted(input)),
  allowAgain: mutation(proposalsContract.allowAgain, ({ proposals }, input) => proposals.allowAgain(input)),
  standing: query(proposalsContract.standing, ({ proposals }, input) => proposals.standing(input)),
  calibration: query(proposalsContract.calibration, ({ proposals }, input) => proposals.calibration(input)),
  telos: query(proposalsContract.telos, ({ proposals }, input) => proposals.telos(input)),
  checkTelos: query(proposalsContract.checkTelos, ({ proposals }, input) => proposals.checkTelos(input)),
  saveTelos: mutation(proposalsContract.saveTelos, ({ proposals }, input) => proposals.saveTelos(input)),
  changed: subscription(proposalsContract.changed, ({ proposals }, input, signal) => proposals.changed(input, signal)),
};
