import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { TurnsState } from '../../shared/rpc/turns.ts';
import { type FolderWatch, watchFolder } from '../audit/folder-watch.ts';
import { createTurnDecisions } from '../db/turn-decisions.ts';
import { watchFile } from '../engine/changes.ts';
import { UserError } from '../engine/errors.ts';
import { createClaudeTranscripts } from './claude-transcripts.ts';
import { createOwnTurns, isSameTurn } from './own-turns.ts';
import { headOf, parseTurnLine, stepsOf, type TurnHead } from './parse-turn.ts';
import type { Answers, ListedTurn, Op, Tick, WholeTurn, WorkerSetup } from './protocol.ts';
import { turnOf, valuesOf } from './turn-detail.ts';
import { createTurnFiles, openRegular } from './turn-files.ts';
import { createTurnIndex, type TurnEntry, type TurnPlace } from './turn-index.ts';

/** The worker's work, without its thread: follows the turn log and our own line's answers, and answers about them. */
export interface TurnsSession {
  answer<O extends Op>(op: O, input: Answers[O]['input']): Answers[O]['output'];
  /** @param folder of Claude Code's transcripts; null: none is read, and their turns are let go at once */
  followTranscripts(folder: string | null): void;
  close(): void;
}

const MAX_RAW = 1_000_000;
const MOST_AROUND = 20;
const TRANSCRIPTS_ROUND_MS = 5000;

export function startTurnsSession(setup: WorkerSetup, onTick: (tick: Tick) => void): TurnsSession {
  const index = createTurnIndex();
  const decisions = createTurnDecisions(setup.panelDb);
  const own = createOwnTurns(decisions, index);
  const transcripts = createClaudeTranscripts(index, () => closed);
  const dirty = { all: true, names: new Set<string>(), line: true, transcripts: true };
  let phase: TurnsState['phase'] = 'starting';
  let lineProblem: string | null = null;
  let closed = false;
  let working = false;
  let lastTick = '';

  const files = createTurnFiles(setup.folder, {
    onTurn: (head, place) => index.put(entryOf(head, place)),
    onForget: (name) => {
      index.remove(({ place }) => place?.file === name);
      own.restore();
    },
    onProgress: () => tell(),
    stopped: () => closed,
  });

  function state(): TurnsState {
    const { reading, ...found } = files.state();
    return {
      ...found,
      phase: phase === 'starting' ? 'starting' : reading ? 'reading' : 'following',
      turns: index.size(),
      left_out: index.leftOut() + transcripts.leftOut(),
      line_problem: lineProblem,
      transcripts: transcripts.state(),
    };
  }

  function tell(): void {
    if (closed) return;
    const tick: Tick = { state: state(), version: index.version(), removals: index.removals() };
    const text = JSON.stringify(tick);
    if (text === lastTick) return;
    lastTick = text;
    onTick(tick);
  }

  /** A turn that grows is written again and keeps its key; so does one that only our own line knew until now. */
  function entryOf(head: TurnHead, place: TurnPlace): TurnEntry {
    const named = head.turn_id === null ? [] : index.withId(head.turn_id);
    const before = named.find((entry) =>
      entry.place === null
        ? isSameTurn(entry, head) && (head.sender === null || entry.row.sender === head.sender)
        : entry.row.start_ms === head.start_ms && entry.row.sender === head.sender && isSameTurn(entry, head),
    );
    const { tools, kind: _, ...facts } = head;
    const at_ms = head.start_ms ?? head.end_ms ?? dayOf(place.file);
    return {
      row: {
        ...facts,
        key: before?.row.key ?? freeKey(head.turn_id ?? `${place.file}:${place.offset}`),
        source: 'log',
        at_ms,
        last_ms: Math.max(at_ms, head.end_ms ?? 0, before?.row.last_ms ?? 0),
      },
      tools,
      place,
      verdict_ts: before?.verdict_ts ?? null,
    };
  }

  function freeKey(wanted: string): string {
    let key = wanted;
    for (let n = 2; index.get(key) !== undefined; n++) key = `${wanted}~${n}`;
    return key;
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    while (!closed && (dirty.all || dirty.line || dirty.transcripts || dirty.names.size > 0)) {
      const names = dirty.all ? undefined : new Set(dirty.names);
      const scans = dirty.all || dirty.names.size > 0;
      dirty.all = false;
      dirty.names.clear();
      if (phase === 'starting' || dirty.line) refreshOwn();
      if (scans) {
        if (phase === 'starting') phase = 'reading';
        await files.scan(names);
        phase = 'following';
      }
      if (dirty.transcripts) {
        dirty.transcripts = false;
        await transcripts.scan();
      }
      tell();
    }
    working = false;
    if (closed) decisions.close();
  }

  function refreshOwn(): void {
    dirty.line = false;
    try {
      own.refresh();
      lineProblem = null;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      lineProblem = error.message;
    }
  }

  let watch: FolderWatch | null = watchFolder(setup.folder, (name) => {
    if (name === null) {
      dirty.all = true;
      // The slow round is also what finds a database that was locked until now.
      if (lineProblem !== null) dirty.line = true;
    } else dirty.names.add(name);
    void work();
  });
  const unwatchLine = watchFile(setup.panelDb, () => {
    dirty.line = true;
    void work();
  });
  const round = setInterval(() => {
    if (transcripts.state() === null) return;
    dirty.transcripts = true;
    void work();
  }, TRANSCRIPTS_ROUND_MS);
  transcripts.follow(setup.transcripts);
  void work();

  const entry = (key: string): TurnEntry => {
    const found = index.get(key);
    if (found === undefined) throw gone(key);
    return found;
  };

  /** The line of a turn as it stands in its file now, given only while it still is that turn. */
  const lineOf = ({ row, place }: TurnEntry): { line: Record<string, unknown>; text: string } | null => {
    if (place === null) return null;
    const path = join(setup.folder, place.file);
    const bytes = Buffer.alloc(place.length);
    let text: string;
    try {
      const fd = openRegular(path);
      try {
        text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, place.length, place.offset));
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      throw new UserError('unreadable', `${path} cannot be read: ${(error as Error).message}`, path);
    }
    const line = parseTurnLine(text);
    const head = typeof line === 'string' ? null : headOf(line);
    if (typeof line === 'string' || head?.turn_id !== row.turn_id || head.start_ms !== row.start_ms) {
      throw new UserError('not-found', `${path} was changed at byte ${place.offset} since this turn was read.`, path);
    }
    return { line, text };
  };

  const whole = (key: string): WholeTurn & { line: Record<string, unknown> | null } => {
    const found = entry(key);
    if (found.row.source === 'claude-code') {
      const turn = transcripts.read(found).turn.whole(found);
      const places = turn.steps.map(() => ({ logged: null, verdict_ts: null }));
      return { turn, places, verdict_ts: null, line: null };
    }
    const read = lineOf(found);
    const { turn_id } = found.row;
    let kept: ReturnType<typeof decisions.ofTurn> = [];
    try {
      kept =
        turn_id === null ? [] : decisions.ofTurn(turn_id).filter((row) => isSameTurn(found, { ...row, sender: null }));
    } catch (error) {
      // The log's half is shown; the list says what is wrong with the other one.
      if (!(error instanceof UserError) || read === null) throw error;
    }
    if (read === null) {
      kept = kept.filter((row) => row.sender_id === found.row.sender);
      if (kept.length === 0) throw gone(key);
    }
    return { ...turnOf(found, read?.line ?? null, kept), verdict_ts: found.verdict_ts, line: read?.line ?? null };
  };

  const answers: { [O in Op]: (input: Answers[O]['input']) => Answers[O]['output'] } = {
    page({ filter, before, limit }) {
      const page = index.page(filter, before, limit);
      if (page === null) throw gone(before ?? '');
      return { turns: page.entries.map(listed), more: page.more, state: state() };
    },
    choices: () => index.choices(),
    get({ key }) {
      const { line: _, ...found } = whole(key);
      return found;
    },
    values({ key, index: at }) {
      const found = entry(key);
      if (found.row.source === 'claude-code') {
        const values = transcripts.read(found).turn.values(at);
        if (values === null) throw new UserError('not-found', `The turn has no step ${at + 1}.`, key);
        return values;
      }
      const { places, line } = whole(key);
      const place = places[at];
      if (place === undefined) throw new UserError('not-found', `The turn has no step ${at + 1}.`, key);
      const step = line === null || place.logged === null ? null : (stepsOf(line)[place.logged] ?? null);
      return valuesOf(step, step === null ? 'Our own line keeps no values of arguments.' : null);
    },
    raw({ key }) {
      const found = entry(key);
      const read = found.row.source === 'claude-code' ? transcripts.read(found) : lineOf(found);
      if (read === null) return { text: null, left: 0, problem: 'The turn log has no line of this turn.' };
      const text = read.text.slice(0, MAX_RAW).toWellFormed();
      return { text, left: Math.max(0, read.text.length - MAX_RAW), problem: null };
    },
    around: ({ ms, executor, intent }) =>
      index
        .around(ms)
        .filter(({ row, tools }) => tools.includes(executor) && sameIntent(row.intent, intent))
        .slice(0, MOST_AROUND)
        .map(({ row }) => row.key),
    decisionOf({ ts }) {
      const decision = decisions.ofVerdict(ts);
      if (decision?.turn_id == null) return null;
      const turn = { channel: decision.channel, sender: decision.sender_id };
      const named = index.withId(decision.turn_id).filter((each) => isSameTurn(each, turn));
      const found = named.find(({ row }) => row.sender === turn.sender) ?? named[0];
      return found === undefined ? null : { decision, key: found.row.key };
    },
    changes({ since }) {
      const entries = index.changesSince(since);
      return { turns: entries === null ? null : entries.map(listed), version: index.version() };
    },
  };

  return {
    answer: (op, input) => answers[op](input),
    followTranscripts(folder) {
      transcripts.follow(folder);
      dirty.transcripts = true;
      tell();
      void work();
    },
    close() {
      if (closed) return;
      closed = true;
      watch?.close();
      watch = null;
      unwatchLine();
      clearInterval(round);
      if (!working) decisions.close();
    },
  };
}

function listed({ row, verdict_ts }: TurnEntry): ListedTurn {
  return { row, verdict_ts };
}

function gone(key: string): UserError {
  return new UserError('not-found', 'This turn is no longer there. Load the list again.', key);
}

/** The verdict log and the list both cut a long text, each at its own length. */
export function sameIntent(one: string, other: string): boolean {
  const [short, long] = [one, other].map((text) => text.replace(/…$/, '')).sort((a, b) => a.length - b.length);
  return short === long || (short !== undefined && short.length >= 500 && (long ?? '').startsWith(short));
}

/** Local midnight of a day file, Unix ms. */
function dayOf(file: string): number {
  const [year, month, day] = file.slice(0, 10).split('-').map(Number);
  return new Date(year ?? 2000, (month ?? 1) - 1, day ?? 1).getTime();
}
