import { lineContract } from '../../../shared/rpc/line.ts';
import { query } from '../procedures.ts';

export const lineHandlers = {
  try: query(lineContract.try, ({ line }, input) => line.try(input)),
  tryMany: query(lineContract.tryMany, ({ line }, input) => line.tryMany(input)),
  decisions: query(lineContract.decisions, ({ line }, input) => line.decisions(input)),
  inFlight: query(lineContract.inFlight, ({ line }, input) => line.inFlight(input)),
};
