import { type Command, Option } from 'commander';
import { CONFIGURED_KINDS, type ConfiguredKind, type JudgeConfig, loadConfig } from '../../engine/config.ts';
import { UserError } from '../../engine/errors.ts';
import { createJudgeInForce, type JudgeInForce } from '../../engine/judge-in-force.ts';
import { resolvePaths } from '../../engine/paths.ts';
import type { Evaluation } from '../../vaglio/judge.ts';
import { VerdictLog } from '../../vaglio/log.ts';
import { readPasswd } from '../../vaglio/passwd.ts';
import { asRecord, ownKeys } from '../../vaglio/plain-record.ts';
import { parseThreshold } from '../../vaglio/threshold.ts';
import type { StreamContext } from '../context.ts';
import { type Line, linesOf } from '../lines.ts';
import { jsonLine, printable } from '../printable.ts';
import { type BrokenCall, type JudgeCall, readCall } from './judge-call.ts';

/** A line may hold a whole document; more than this is no call. */
const MAX_LINE = 128 * 1024 * 1024;
/** Questions to a model at the same time. */
const ASKED_AT_ONCE = 4;

interface Flags {
  log: boolean;
  threshold?: string;
  kind?: ConfiguredKind;
  structure: boolean;
}

/** `vaglio judge`: a call a line on stdin, its verdict a line on stdout, in the same order (vaglio page, section 1). */
export function registerJudge(program: Command, ctx: StreamContext): void {
  program
    .command('judge')
    .description('judge the calls on stdin, one JSON object {intent, executor, args, context?, home?, id?} a line')
    .option('--no-log', 'leave the verdict log alone')
    .option(
      '--structure',
      'let the structural layer block, as the engine does; without it its rules are only named',
      false,
    )
    .option('--threshold <number>', 'score from 0 to 1 below which a call is denied, whichever judge answers')
    .addOption(new Option('--kind <kind>', 'which judge, whatever is configured').choices(CONFIGURED_KINDS))
    .action(async (flags: Flags) => {
      try {
        await judgeStream(ctx, flags);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        ctx.err(printable(`error: ${error.message}`));
        ctx.setExit(2);
      }
    });
}

/** What the command's own options say wins over environment and file. */
async function configured(ctx: StreamContext, flags: Flags, file: string): Promise<JudgeConfig> {
  const { judge } = await loadConfig(ctx.env, file);
  const given = flags.threshold === undefined ? null : parseThreshold(flags.threshold, '--threshold');
  return {
    ...judge,
    kind: flags.kind ?? judge.kind,
    threshold: given ?? judge.threshold,
    thresholdLlm: given ?? judge.thresholdLlm,
  };
}

async function judgeStream(ctx: StreamContext, flags: Flags): Promise<void> {
  const { env, home, clock } = ctx;
  const paths = resolvePaths(env, home);
  const config = await configured(ctx, flags, paths.configFile);
  const counter = await openCounter(config.kind, paths.panelDb);
  const log = flags.log ? new VerdictLog({ folder: paths.verdictLog, clock }) : null;
  const warn = (line: string): void => ctx.err(printable(`warning: ${line}`));
  const judge = createJudgeInForce({
    ...counter,
    config,
    env,
    home,
    clock,
    passwd: readPasswd(),
    log: warn,
    // Plain `judge` answers as the original program does, so that the two can be compared call by call.
    structure: flags.structure ? 'on' : 'marks',
  });
  try {
    if (!(await answerAll(ctx, judge, log))) ctx.setExit(1);
  } finally {
    counter.close();
    closeLog(ctx, log);
  }
}

/** Only the LLM judge counts, so only it needs the panel's database. */
async function openCounter(kind: ConfiguredKind, panelDb: string) {
  if (kind === 'rule-based-v1') return { countCall: () => false, close: () => undefined };
  const { createPanelStore } = await import('../../db/panel-store.ts');
  const { takeJudgeCall } = await import('../../db/judge-calls.ts');
  const panel = createPanelStore(panelDb);
  return {
    countCall: (asked: { day: string; limit: number }) => panel.write((db) => takeJudgeCall(db, asked)),
    close: panel.close,
  };
}

/** @returns false when a line was no call */
async function answerAll(ctx: StreamContext, judge: JudgeInForce, log: VerdictLog | null): Promise<boolean> {
  let number = 0;
  let broken = 0;
  for await (const lines of linesOf(ctx.stdin, MAX_LINE)) {
    const step = judge.kind === 'llm-v1' ? ASKED_AT_ONCE : lines.length;
    for (let start = 0; start < lines.length; start += step) {
      const answers: string[] = [];
      for (const { call, evaluation } of await evaluated(lines.slice(start, start + step), judge)) {
        number++;
        if (call === null) continue;
        if ('error' in call) {
          broken++;
          answers.push(`{"id":${printable(call.id ?? 'null')},"error":${JSON.stringify(call.error)},"line":${number}}`);
        } else if (evaluation !== null) {
          logVerdict(log, call, evaluation);
          answers.push(verdictLine(call.id, evaluation));
        }
      }
      if (answers.length === 0) continue;
      ctx.out(answers.join('\n'));
      await ctx.drained();
    }
  }
  return broken === 0;
}

interface Answered {
  call: JudgeCall | BrokenCall | null;
  evaluation: Evaluation | null;
}

async function evaluated(lines: readonly Line[], judge: JudgeInForce): Promise<Answered[]> {
  const answers: (Answered | Promise<Answered>)[] = [];
  for (const line of lines) {
    const call = readCall(line);
    if (call === null || 'error' in call) answers.push({ call, evaluation: null });
    else {
      const found = judge.evaluate(call, call.home === null ? {} : { home: call.home });
      if (found instanceof Promise) answers.push(found.then((evaluation) => ({ call, evaluation })));
      else answers.push({ call, evaluation: found });
    }
  }
  return judge.kind === 'llm-v1' ? Promise.all(answers) : (answers as Answered[]);
}

function logVerdict(log: VerdictLog | null, call: JudgeCall, { verdict, rule, marks }: Evaluation): void {
  const { intent, executor, args, context } = call;
  const extra = { ...(rule === null ? {} : { rule }), ...(marks.length === 0 ? {} : { marks }) };
  log?.write({
    verdict,
    intent,
    executor,
    argsKeys: ownKeys(asRecord(args) ?? {}),
    contextKeys: ownKeys(context),
    extra,
  });
}

function verdictLine(id: string | null, { verdict, marks }: Evaluation): string {
  const line = jsonLine(marks.length === 0 ? verdict : { ...verdict, marks });
  return id === null ? line : `{"id":${printable(id)},${line.slice(1)}`;
}

function closeLog(ctx: StreamContext, log: VerdictLog | null): void {
  if (log === null) return;
  log.close();
  const { missing, path, detail } = log.health();
  if (missing === 0) return;
  ctx.err(printable(`warning: ${missing} verdicts are not in the log ${path}: ${detail ?? 'an earlier failure'}`));
}
