import { appContract } from '../../../shared/rpc/app.ts';
import { mutation, query } from '../procedures.ts';

export const appHandlers = {
  info: query(appContract.info, ({ app }, input) => app.info(input)),
  health: query(appContract.health, ({ app }, input) => app.health(input)),
  setPreferences: mutation(appContract.setPreferences, ({ app }, input) => app.setPreferences(input)),
  settings: query(appContract.settings, ({ app }, input) => app.settings(input)),
  testJudge: mutation(appContract.testJudge, ({ app }, input) => app.testJudge(input)),
  setRetention: mutation(appContract.setRetention, ({ app }, input) => app.setRetention(input)),
};
