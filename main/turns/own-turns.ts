import type { DecisionRow } from '../../shared/domain/decision.ts';
import type { TurnDecisions } from '../db/turn-decisions.ts';
import { outcomeOfDecision } from './step-facts.ts';
import type { TurnEntry, TurnIndex } from './turn-index.ts';

/** The turns of our own line, made from its kept answers; one that the turn log has too is the log's. */
export interface OwnTurns {
  /** Takes in what was decided since. Throws a UserError when panel.db cannot be read. */
  refresh(): void;
  /** Lists again what the log no longer has. */
  restore(): void;
}

interface Own {
  turn_id: string;
  channel: string;
  sender: string;
  first_ms: number;
  last_ms: number;
  /** Last outcome of each step. */
  steps: Map<string, boolean>;
  tools: Set<string>;
  verdict_ts: number | null;
}

const ROWS_AT_ONCE = 1000;
const MAX_TOOLS = 100;

/** Whether an entry of the index is the turn of an answer. What one side does not say is no difference. */
export function isSameTurn(entry: TurnEntry, turn: { channel: string | null; sender: string | null }): boolean {
  const { channel } = entry.row;
  return channel === null || turn.channel === null || channel === turn.channel;
}

export function createOwnTurns(decisions: TurnDecisions, index: TurnIndex): OwnTurns {
  const turns = new Map<string, Own>();
  let lastId = 0;

  const keyOf = (turn: Own): string => {
    const taken = (key: string): boolean => {
      const entry = index.get(key);
      return (
        entry !== undefined && !(entry.place === null && entry.row.sender === turn.sender && isSameTurn(entry, turn))
      );
    };
    let key = turn.turn_id;
    for (let n = 2; taken(key); n++) key = `${turn.turn_id}~${n}`;
    return key;
  };

  const show = (turn: Own): void => {
    const logged = index.withId(turn.turn_id).find((entry) => entry.place !== null && isSameTurn(entry, turn));
    if (logged !== undefined) {
      const last_ms = Math.max(logged.row.last_ms, turn.last_ms);
      index.put({ ...logged, row: { ...logged.row, last_ms }, verdict_ts: logged.verdict_ts ?? turn.verdict_ts });
      return;
    }
    index.put({
      row: {
        key: keyOf(turn),
        source: 'line',
        turn_id: turn.turn_id,
        at_ms: turn.first_ms,
        start_ms: turn.first_ms,
        end_ms: null,
        last_ms: turn.last_ms,
        intent: '',
        channel: turn.channel,
        sender: turn.sender,
        final_kind: null,
        steps: turn.steps.size,
        refused: [...turn.steps.values()].filter(Boolean).length,
        failed: 0,
      },
      tools: [...turn.tools],
      place: null,
      verdict_ts: turn.verdict_ts,
    });
  };

  const take = (row: DecisionRow): Own => {
    const id = JSON.stringify([row.turn_id, row.channel, row.sender_id]);
    const turn = turns.get(id) ?? {
      turn_id: row.turn_id ?? '',
      channel: row.channel,
      sender: row.sender_id,
      first_ms: row.at,
      last_ms: row.at,
      steps: new Map(),
      tools: new Set(),
      verdict_ts: row.verdict_ts,
    };
    turns.set(id, turn);
    turn.first_ms = Math.min(turn.first_ms, row.at);
    turn.last_ms = Math.max(turn.last_ms, row.at);
    turn.steps.set(row.step === null ? `id ${row.id}` : String(row.step), outcomeOfDecision(row) === 'refused');
    if (turn.tools.size < MAX_TOOLS) turn.tools.add(row.executor);
    turn.verdict_ts ??= row.verdict_ts;
    return turn;
  };

  /** What was decided too long ago is no longer kept, and so neither are its turns. */
  const letGo = (oldest: number | null): void => {
    let gone = false;
    for (const [id, turn] of turns) {
      if (oldest !== null && turn.last_ms >= oldest) continue;
      turns.delete(id);
      gone = true;
    }
    if (!gone) return;
    const kept = new Set([...turns.values()].map(({ turn_id, sender }) => JSON.stringify([turn_id, sender])));
    index.remove(({ place, row }) => place === null && !kept.has(JSON.stringify([row.turn_id, row.sender])));
  };

  return {
    refresh() {
      for (;;) {
        const { rows, restarted } = decisions.after(lastId, ROWS_AT_ONCE);
        if (restarted) {
          turns.clear();
          index.remove(({ place }) => place === null);
          lastId = 0;
        }
        const changed = new Set(rows.map(take));
        for (const turn of changed) show(turn);
        lastId = rows.at(-1)?.id ?? lastId;
        if (rows.length < ROWS_AT_ONCE) break;
      }
      if (turns.size > 0) letGo(decisions.oldest());
    },
    restore() {
      for (const turn of turns.values()) {
        if (!index.withId(turn.turn_id).some((entry) => isSameTurn(entry, turn))) show(turn);
      }
    },
  };
}
