import { STAGES } from '../../shared/domain/decision.ts';
import type { StepOutcome, Turn, TurnStep } from '../../shared/domain/turn.ts';
import { nameOf } from './parse-turn.ts';
import { type RawStep, recordOf, stepOfLog, textOf } from './step-facts.ts';
import { type StepValues, valuesOf } from './turn-detail.ts';
import type { TurnEntry } from './turn-index.ts';

/**
 * What the lines of a Claude Code transcript say of one request and its tool calls (pipeline page, "Turns"). The
 * format is another program's and not promised: what is not known is skipped, what is not said is null. Pure.
 */
type Line = Record<string, unknown>;

/** `prompt` begins a turn, `part` belongs to one, `aside` says nothing of turns, `unknown` is counted. */
export type ClaudeLineKind = 'prompt' | 'part' | 'aside' | 'unknown';

const ASIDE = new Set(['system', 'summary', 'progress', 'attachment', 'file-history-snapshot', 'queue-operation']);
/** Texts that Claude Code itself writes in a person's name. */
const NOT_ASKED = /^(?:<(?:local-command-|bash-|task-notification|system-reminder)|\[Request interrupted by user)/;
const COMMAND = /<command-name>([^<]*)<\/command-name>/;
const COMMAND_ARGS = /<command-args>([^<]*)<\/command-args>/;

const MAX_INTENT = 1000;
const MAX_TEXT = 100_000;
const MAX_NAME = 256;
const MAX_TOOLS = 100;
const MOST_STEPS = 1000;

export function kindOfClaudeLine(line: Line): ClaudeLineKind {
  if (line.type === 'assistant') return recordOf(line.message) === null ? 'unknown' : 'part';
  if (line.type !== 'user') return typeof line.type === 'string' && ASIDE.has(line.type) ? 'aside' : 'unknown';
  if (recordOf(line.message) === null) return 'unknown';
  if (partsOf(line).some(({ type }) => type === 'tool_result')) return 'part';
  // What a sub-agent is told comes from the agent, not from a person.
  if (line.isSidechain === true || line.isMeta === true || line.isCompactSummary === true) return 'aside';
  return NOT_ASKED.test(promptOf(line)) ? 'aside' : 'prompt';
}

/** Id of a prompt's line; null when it has none. */
export function idOfClaudeLine(line: Line): string | null {
  return nameOf(line.uuid);
}

interface Call {
  id: string | null;
  name: string;
  input: unknown;
  result: unknown;
  error: string | null;
  outcome: StepOutcome;
}

/** Takes in the lines of one turn, in their order. */
export interface ClaudeTurn {
  add(line: Line): void;
  /** As the list shows it. */
  entry(key: string, place: NonNullable<TurnEntry['place']>): TurnEntry;
  whole(entry: TurnEntry): Turn;
  /** @returns null when there is no such step */
  values(index: number): StepValues | null;
}

/** @param prompt the line that begins it */
export function createClaudeTurn(prompt: Line): ClaudeTurn {
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  const start = timeOf(prompt);
  let last = start;
  let answer = '';
  let ended = false;

  const use = (part: Line): void => {
    const id = nameOf(part.id);
    if (id !== null && byId.has(id)) return;
    const name = textOf(part.name, MAX_NAME);
    const call: Call = { id, name, input: part.input, result: undefined, error: null, outcome: 'unknown' };
    calls.push(call);
    if (id !== null) byId.set(id, call);
  };

  const result = (part: Line): void => {
    const call = byId.get(nameOf(part.tool_use_id) ?? '');
    if (call === undefined) return;
    call.result = part.content ?? '';
    const text = textIn(part.content);
    call.outcome = part.is_error === true ? outcomeOfError(call.name, text) : 'ran';
    call.error = part.is_error === true ? text || 'error' : null;
  };

  const steps = (): TurnStep[] =>
    calls.slice(0, MOST_STEPS).map((call, index) => ({
      ...stepOfLog(rawOf(call, index), index),
      outcome: call.outcome,
      // A transcript says nothing of our stages, whatever the words of an error are.
      stages: STAGES.map((stage) => ({ stage, state: 'unknown', rule: null, reason: null, ms: null })),
    }));

  return {
    add(line) {
      last = Math.max(last ?? 0, timeOf(line) ?? 0) || null;
      const parts = partsOf(line);
      for (const part of parts) {
        if (part.type === 'tool_use') use(part);
        else if (part.type === 'tool_result') result(part);
      }
      if (line.type !== 'assistant' || line.isSidechain === true) return;
      answer = textIn(parts) || answer;
      ended = recordOf(line.message)?.stop_reason === 'end_turn';
    },
    entry(key, place) {
      const at_ms = start ?? last ?? 0;
      const tools = new Set(calls.map(({ name }) => name).filter((name) => name !== ''));
      return {
        row: {
          key,
          source: 'claude-code',
          turn_id: idOfClaudeLine(prompt),
          at_ms,
          start_ms: start,
          end_ms: ended ? last : null,
          last_ms: Math.max(at_ms, last ?? 0),
          intent: textOf(promptOf(prompt), MAX_INTENT),
          channel: 'claude-code',
          sender: null,
          final_kind: ended ? 'answer' : null,
          steps: calls.length,
          refused: calls.filter(({ outcome }) => outcome === 'refused').length,
          failed: calls.filter(({ outcome }) => outcome === 'failed').length,
        },
        tools: [...tools].slice(0, MAX_TOOLS),
        place,
        verdict_ts: null,
      };
    },
    whole: ({ row, place }) => ({
      row: { ...row, intent: textOf(promptOf(prompt), MAX_TEXT) },
      steps: steps(),
      left_out: Math.max(0, calls.length - MOST_STEPS),
      final_message: ended ? textOf(answer, MAX_TEXT) || null : null,
      conversation_id: nameOf(prompt.sessionId),
      owner_user_id: null,
      mode: nameOf(prompt.permissionMode),
      other_keys: [],
      place: place === null ? null : { file: place.file, line: place.line, offset: place.offset },
    }),
    values(index) {
      const call = calls[index];
      return call === undefined ? null : valuesOf(rawOf(call, index), null);
    },
  };
}

function rawOf({ name, input, result, error }: Call, index: number): RawStep {
  return { step_num: index + 1, chosen_tool: name, raw_args: input, result, error };
}

/**
 * An error may mean that the call failed or that it never ran, and only the words tell which. Words of Claude Code
 * itself are believed; an MCP server chooses its own.
 */
function outcomeOfError(name: string, text: string): StepOutcome {
  if (name.startsWith('mcp__')) return 'unknown';
  if (/^(?:The user doesn't want to proceed with this tool use|Vaglio: )/.test(text)) return 'refused';
  return name === 'Bash' && /^(?:Error: )?Exit code \d/.test(text) ? 'failed' : 'unknown';
}

function partsOf(line: Line): Line[] {
  const content = recordOf(line.message)?.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map((part) => recordOf(part) ?? {}) : [];
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => recordOf(part))
    .map((part) => (part?.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** What the person wrote; a slash command as it was typed. */
function promptOf(line: Line): string {
  const text = textIn(partsOf(line)).trim();
  const command = COMMAND.exec(text)?.[1];
  if (command === undefined || !text.startsWith('<command-')) return text;
  return `${command} ${COMMAND_ARGS.exec(text)?.[1] ?? ''}`.trim();
}

/** Unix time, ms. */
function timeOf(line: Line): number | null {
  const ms = typeof line.timestamp === 'string' ? Date.parse(line.timestamp) : Number.NaN;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
