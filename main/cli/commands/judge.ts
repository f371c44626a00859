import { type Command, Option } from 'commander';
import type { Verdict } from '../../../shared/domain/verdict.ts';
import { UserError } from '../../engine/errors.ts';
import { resolvePaths } from '../../engine/paths.ts';
import { evaluate, type JudgeOptions } from '../../vaglio/judge.ts';
import { VerdictLog } from '../../vaglio/log.ts';
import { readPasswd } from '../../vaglio/passwd.ts';
import { ownKeys } from '../../vaglio/plain-record.ts';
import { parseThreshold } from '../../vaglio/threshold.ts';
import type { StreamContext } from '../context.ts';
import { linesOf } from '../lines.ts';
import { jsonLine, printable } from '../printable.ts';
import { type JudgeCall, readCall } from './judge-call.ts';

/** A line may hold a whole document; more than this is no call. */
const MAX_LINE = 128 * 1024 * 1024;

interface Flags {
  log: boolean;
  threshold?: string;
  kind: string;
}

/** `vaglio judge`: a call a line on stdin, its verdict a line on stdout, in the same order (vaglio page, section 1). */
export function registerJudge(program: Command, ctx: StreamContext): void {
  program
    .command('judge')
    .description('judge the calls on stdin, one JSON object {intent, executor, args, context?, home?, id?} a line')
    .option('--no-log', 'leave the verdict log alone')
    .option('--threshold <number>', 'score from 0 to 1 below which a call is denied (METNOS_JUDGE_THRESHOLD)')
    .addOption(
      new Option('--kind <kind>', 'which judge')
        .choices(['rule-based-v1'])
        .default('rule-based-v1')
        .env('METNOS_JUDGE_KIND'),
    )
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

async function judgeStream(ctx: StreamContext, flags: Flags): Promise<void> {
  const options: JudgeOptions = {
    threshold:
      flags.threshold === undefined
        ? parseThreshold(ctx.env.METNOS_JUDGE_THRESHOLD)
        : parseThreshold(flags.threshold, '--threshold'),
    home: ctx.home,
    clock: ctx.clock,
    passwd: readPasswd(),
    safeVerbShortcut: ctx.env.METNOS_SAFE_VERB_SHORTCUT === 'always',
  };
  const folder = resolvePaths(ctx.env, ctx.home).verdictLog;
  const log = flags.log ? new VerdictLog({ folder, clock: ctx.clock }) : null;
  let number = 0;
  let broken = 0;
  for await (const lines of linesOf(ctx.stdin, MAX_LINE)) {
    const answers: string[] = [];
    for (const line of lines) {
      number++;
      const call = readCall(line);
      if (call === null) continue;
      if ('error' in call) {
        broken++;
        answers.push(`{"id":${printable(call.id ?? 'null')},"error":${JSON.stringify(call.error)},"line":${number}}`);
      } else answers.push(verdictLine(call.id, judged(call, options, log)));
    }
    if (answers.length === 0) continue;
    ctx.out(answers.join('\n'));
    await ctx.drained();
  }
  closeLog(ctx, log);
  if (broken > 0) ctx.setExit(1);
}

function judged(call: JudgeCall, options: JudgeOptions, log: VerdictLog | null): Verdict {
  const { intent, executor, args, context } = call;
  const home = call.home ?? options.home;
  const { verdict, rule } = evaluate(intent, executor, args, context, { ...options, home });
  const argsKeys = ownKeys(args);
  const contextKeys = ownKeys(context);
  log?.write({ verdict, intent, executor, argsKeys, contextKeys, extra: rule === null ? {} : { rule } });
  return verdict;
}

function verdictLine(id: string | null, verdict: Verdict): string {
  const line = jsonLine(verdict);
  return id === null ? line : `{"id":${printable(id)},${line.slice(1)}`;
}

function closeLog(ctx: StreamContext, log: VerdictLog | null): void {
  if (log === null) return;
  log.close();
  const { missing, path, detail } = log.health();
  if (missing === 0) return;
  ctx.err(printable(`warning: ${missing} verdicts are not in the log ${path}: ${detail ?? 'an earlier failure'}`));
}
