import { turnsContract } from '../../../shared/rpc/turns.ts';
import { query, subscription } from '../procedures.ts';

export const turnsHandlers = {
  page: query(turnsContract.page, ({ turns }, input) => turns.page(input)),
  choices: query(turnsContract.choices, ({ turns }, input) => turns.choices(input)),
  get: query(turnsContract.get, ({ turns }, input) => turns.get(input)),
  values: query(turnsContract.values, ({ turns }, input) => turns.values(input)),
  raw: query(turnsContract.raw, ({ turns }, input) => turns.raw(input)),
  ofVerdict: query(turnsContract.ofVerdict, ({ turns }, input) => turns.ofVerdict(input)),
  live: subscription(turnsContract.live, ({ turns }, input, signal) => turns.live(input, signal)),
};
