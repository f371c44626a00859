import type { Turn, TurnRow } from '../../shared/domain/turn.ts';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import type { Paths } from '../engine/paths.ts';
import type { AuditService, TurnsService } from '../engine/services.ts';
import { alignVerdicts } from './align-verdicts.ts';
import { createTurnsClient } from './client.ts';
import { liveTurns } from './live.ts';
import type { ListedTurn, WholeTurn } from './protocol.ts';
import { sameIntent } from './session.ts';

/**
 * The turns room (pipeline page, "Turns"; panel page, "Turns"): the turn log of a running Metnos and what our own
 * line keeps, as turns with their steps, tied to the verdict log. A worker does the work, from the first time that
 * somebody asks. It judges nothing and writes nothing.
 */
export interface Turns extends TurnsService {
  /** Ends the worker. Streams end by their own signals. */
  close(): Promise<void>;
  /** Begins or ends the reading of Claude Code's transcripts, after that was switched. */
  setUpAgain(): void;
}

const VERDICTS_AT_ONCE = 500;
const MOST_VERDICTS = 2000;
/** A turn whose end nobody tells is looked for in this much of the verdict log, ms. */
const OPEN_TURN_MS = 3_600_000;
const INTENTS_KEPT = 2000;
/** The verdict log and the turn log are written by the same clock, but not rounded alike. */
const SLACK_MS = 2;

/** @param options.audit to find the lines of the verdict log that belong to a turn's steps */
export function createTurnsService(options: {
  paths: Pick<Paths, 'turnLog' | 'panelDb'>;
  audit: Pick<AuditService, 'page'>;
  clock: Clock;
  /** Folder of Claude Code's transcripts while they are switched on, otherwise null; none are read when absent. */
  transcripts?: () => string | null;
  /** Another entry of the worker, for tests. */
  worker?: URL;
}): Turns {
  const { paths, audit, clock, transcripts = () => null, worker } = options;
  const client = createTurnsClient(
    () => ({ folder: paths.turnLog, panelDb: paths.panelDb, transcripts: transcripts() }),
    worker,
  );
  const intents = new Map<number, string>();

  /** Oldest first; none when the index cannot say, since a turn is shown without its links too. */
  async function verdictsBetween(fromMs: number, toMs: number): Promise<VerdictRow[]> {
    const filter = { from_ts: (fromMs - SLACK_MS) / 1000, to_ts: (toMs + SLACK_MS) / 1000 };
    const found: VerdictRow[] = [];
    try {
      for (let more = true; more && found.length < MOST_VERDICTS; ) {
        const before = found.at(-1)?.seq;
        const page = await audit.page({ filter, limit: VERDICTS_AT_ONCE, ...(before === undefined ? {} : { before }) });
        found.push(...page.rows);
        more = page.more && page.rows.length > 0;
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
    return found.reverse();
  }

  /** Our own line keeps no intent; its line in the verdict log has it. */
  async function withIntent({ row, verdict_ts }: ListedTurn): Promise<TurnRow> {
    if (row.intent !== '' || verdict_ts === null) return row;
    const kept = intents.get(verdict_ts);
    if (kept !== undefined) return { ...row, intent: kept };
    const [found] = (await verdictsBetween(verdict_ts * 1000, verdict_ts * 1000)).filter(({ ts }) => ts === verdict_ts);
    if (found === undefined) return row;
    if (intents.size >= INTENTS_KEPT) intents.clear();
    intents.set(verdict_ts, found.intent);
    return { ...row, intent: found.intent };
  }
  const rowsOf = (turns: readonly ListedTurn[]): Promise<TurnRow[]> => Promise.all(turns.map(withIntent));

  async function withVerdicts({ turn, places, verdict_ts }: WholeTurn): Promise<Turn> {
    const row = await withIntent({ row: turn.row, verdict_ts });
    const sure = places.map((place) => place.verdict_ts);
    const known = [row.start_ms, ...sure.map((ts) => (ts === null ? null : ts * 1000))].filter((ms) => ms !== null);
    if (known.length === 0 || turn.steps.length === 0) return { ...turn, row };
    const from = Math.min(...known);
    const to = Math.max(row.end_ms ?? Math.min(clock(), from + OPEN_TURN_MS), ...known);
    const verdicts = await verdictsBetween(from, to);
    const named = sure.map((ts) => (ts === null ? undefined : verdicts.find((verdict) => verdict.ts === ts)));
    const left = verdicts.filter((verdict) => !named.includes(verdict) && sameIntent(verdict.intent, row.intent));
    const open = turn.steps.filter((_, index) => named[index] === undefined);
    const likely = row.intent === '' ? [] : alignVerdicts(open, left);
    const steps = turn.steps.map((step, index) => {
      const certain = named[index];
      const place = certain === undefined ? (likely[open.indexOf(step)] ?? null) : null;
      const verdict = certain ?? (place === null ? undefined : left[place]);
      return verdict === undefined ? step : { ...step, verdict: { seq: verdict.seq, sure: certain !== undefined } };
    });
    return { ...turn, row, steps };
  }

  const get = async (key: string): Promise<Turn> => withVerdicts(await client.ask('get', { key }));

  return {
    async page({ filter, before, limit }) {
      const { turns, more, state } = await client.ask('page', { filter: filter ?? {}, before, limit });
      return { rows: await rowsOf(turns), more, state };
    },
    choices: () => client.ask('choices', null),
    get: ({ key }) => get(key),
    values: (input) => client.ask('values', input),
    raw: (input) => client.ask('raw', input),
    async ofVerdict({ seq, ts, executor, intent }) {
      const kept = await client.ask('decisionOf', { ts });
      const keys = kept === null ? await client.ask('around', { ms: ts * 1000, executor, intent }) : [kept.key];
      for (const key of keys) {
        const turn = await get(key);
        const step = turn.steps.find(({ verdict }) => verdict?.seq === seq);
        if (step?.verdict) {
          return { found: { key, index: step.index, intent: turn.row.intent, sure: step.verdict.sure } };
        }
      }
      return { found: null };
    },
    live: (_, signal) => liveTurns(client, rowsOf, signal),
    setUpAgain: () => client.setUpAgain(),
    close: () => client.close(),
  };
}
