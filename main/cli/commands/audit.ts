import { type Command, InvalidArgumentError } from 'commander';
import type { Finding, Integrity } from '../../../shared/domain/integrity.ts';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import {
  type CountKey,
  countKeySchema,
  type ExportFormat,
  exportFormatSchema,
  type VerdictFilter,
} from '../../../shared/rpc/audit.ts';
import { resolvePaths } from '../../engine/paths.ts';
import { parseInstant } from '../../policy/dates.ts';
import type { StreamContext } from '../context.ts';
import { jsonLine, printable } from '../printable.ts';
import { reporting } from '../reporting.ts';

interface FilterOptions {
  outcome?: 'approved' | 'denied';
  blockedBy?: string;
  rule?: string;
  executor?: string;
  from?: number;
  to?: number;
  minScore?: number;
  maxScore?: number;
  text?: string;
}

/** A slow pass says how far it is this often, ms. */
const SAID_EVERY_MS = 2000;

/**
 * `vaglio audit ...` (panel page, "Audit"; quality page, "The record"): from the log and our own index of it, with or
 * without a running panel. Exit 1 says that something differs from the record that nobody has
 * acknowledged, 2 that it could not be answered.
 */
export function registerAudit(program: Command, ctx: StreamContext): void {
  const audit = program.command('audit').description('the verdict log: its record, its figures, its rows');

  audit
    .command('verify')
    .description(
      'compare the log and the operator acts with the record: exit 0 verified, 1 something differs that no operator ' +
        'has acknowledged on the Audit page, 2 it could not be told. Acknowledged findings are listed as such.',
    )
    .option('--json', 'the whole answer as one JSON object')
    .action(({ json }: { json?: boolean }) => reporting(ctx, () => verify(ctx, json === true)));

  filtered(audit.command('stats'), ['text', 'score'])
    .description('verdicts counted by one to four things')
    .requiredOption('--by <things>', `with commas between: ${countKeySchema.options.join(', ')}`, countKeys)
    .option('--json', 'one JSON object a line instead of columns')
    .action(({ by, json, ...options }: FilterOptions & { by: CountKey[]; json?: boolean }) =>
      reporting(ctx, async () => {
        const { text: _, min_score: _min, max_score: _max, ...filter } = filterOf(options);
        const { rows } = await asking(ctx, (ask) => ask('counts', { by, filter }));
        for (const { keys, count } of rows) {
          if (json === true) ctx.out(jsonLine({ ...Object.fromEntries(by.map((key, n) => [key, keys[n]])), count }));
          else ctx.out([...keys.map((key) => printable(key ?? '-')), count].join('\t'));
        }
      }),
    );

  filtered(audit.command('search'), ['text'])
    .description('rows whose intent, reason or executor has these words, newest first')
    .argument('<text>', 'words; each may be the beginning of one')
    .option('--limit <n>', 'at most so many rows', wholeNumber, 50)
    .option('--json', 'one JSON object a line')
    .action((text: string, { limit, json, ...options }: FilterOptions & { limit: number; json?: boolean }) =>
      reporting(ctx, async () => {
        const filter = { ...filterOf(options), text };
        const { rows } = await asking(ctx, (ask) => ask('page', { filter, before: undefined, limit }));
        for (const row of rows) ctx.out(json === true ? jsonLine(row) : written(row));
        if (rows.length === 0) ctx.err('No row has these words.');
      }),
    );

  filtered(audit.command('export'), [])
    .description('rows as a file, newest first, on stdout')
    .requiredOption('--format <format>', exportFormatSchema.options.join(' or '), exportFormat)
    .action(({ format, ...options }: FilterOptions & { format: ExportFormat }) =>
      reporting(ctx, async () => {
        const { exportRows } = await import('../../audit/export.ts');
        await asking(ctx, async (ask) => {
          const page = async (asked: { filter: VerdictFilter; before?: number; limit: number }) =>
            await ask('page', { filter: asked.filter, before: asked.before, limit: asked.limit });
          for await (const { text } of exportRows(page, format, filterOf(options))) {
            // A line on stdout brings its own line feed.
            ctx.out(text.endsWith('\n') ? text.slice(0, -1) : text);
            await ctx.drained();
          }
        });
      }),
    );
}

async function verify(ctx: StreamContext, json: boolean): Promise<void> {
  const state = await asking(ctx, async (ask) => await ask('verify', null));
  if (json) ctx.out(jsonLine(state));
  else for (const line of saidOf(state)) ctx.out(printable(line));
  if (state.state !== 'verified') ctx.setExit(1);
}

function saidOf({ findings, acknowledged, lines, acts, verified_to, since }: Integrity): string[] {
  const known = acknowledged.map((finding) => `acknowledged: ${saidOfFinding(finding)}`);
  if (findings.length > 0) return [...findings.map(saidOfFinding), ...known];
  const what = `${lines} lines and ${acts} operator acts`;
  const from = since === null ? '' : `; the record began ${isoOf(since)}`;
  return [`verified: ${what}${verified_to === null ? '' : `, to ${isoOf(verified_to)}`}${from}`, ...known];
}

function saidOfFinding({ file, line, kind, detail, found_at, acknowledged_at, acknowledged_by }: Finding): string {
  const place = line === null ? file : `${file}:${line}`;
  const known =
    acknowledged_at === null ? '' : `, acknowledged ${isoOf(acknowledged_at)} by ${acknowledged_by ?? 'nobody named'}`;
  return `${place}: ${kind}: ${detail} (found ${isoOf(found_at)}${known})`;
}

async function asking<T>(
  ctx: StreamContext,
  work: Parameters<typeof import('../../audit/one-shot.ts').withIndex<T>>[1],
): Promise<T> {
  const { withIndex } = await import('../../audit/one-shot.ts');
  let said = ctx.clock();
  return withIndex(resolvePaths(ctx.env, ctx.home), work, ({ progress }) => {
    if (progress === undefined || ctx.clock() - said < SAID_EVERY_MS) return;
    said = ctx.clock();
    const left = progress.seconds_left === null ? '' : `, ${Math.ceil(progress.seconds_left)} s left`;
    ctx.err(`indexing (${progress.stage}): ${progress.lines_done} lines, ${progress.lines_per_s} a second${left}`);
  });
}

/** @param without filters that the command does not have */
function filtered(command: Command, without: ('text' | 'score')[]): Command {
  command
    .option('--outcome <outcome>', 'approved or denied', outcome)
    .option('--blocked-by <phase>', 'guard, judge, ...')
    .option('--rule <rule>', 'the rule that decided')
    .option('--executor <name>', 'of this executor alone')
    .option('--from <time>', 'from this time, ISO 8601, UTC where it has no offset', instant)
    .option('--to <time>', 'before this time', instant);
  if (!without.includes('score')) {
    command
      .option('--min-score <n>', 'this score or more', score)
      .option('--max-score <n>', 'less than this score', score);
  }
  if (!without.includes('text')) command.option('--text <words>', 'words of intent, reason or executor');
  return command;
}

function filterOf(options: FilterOptions): VerdictFilter {
  const { blockedBy, from, to, minScore, maxScore, outcome: is, rule, executor, text } = options;
  const all = {
    outcome: is,
    rule,
    executor,
    text,
    blocked_by: blockedBy,
    from_ts: from,
    to_ts: to,
    min_score: minScore,
    max_score: maxScore,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function written(row: VerdictRow): string {
  const answer = row.approved ? 'approved' : `denied by ${row.blocked_by ?? 'unknown'}`;
  const time = row.ts === null ? '-' : isoOf(row.ts);
  return [time, answer, row.executor, row.intent, row.reason].map(printable).join('\t');
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function countKeys(text: string): CountKey[] {
  const keys = text.split(',').map((key) => countKeySchema.safeParse(key.trim()));
  if (keys.length > 4 || keys.some(({ success }) => !success))
    throw new InvalidArgumentError(`One to four of ${countKeySchema.options.join(', ')}.`);
  return keys.flatMap(({ data }) => (data === undefined ? [] : [data]));
}

function exportFormat(text: string): ExportFormat {
  const format = exportFormatSchema.safeParse(text);
  if (!format.success) throw new InvalidArgumentError(`${exportFormatSchema.options.join(' or ')}.`);
  return format.data;
}

function outcome(text: string): string {
  if (text !== 'approved' && text !== 'denied') throw new InvalidArgumentError('approved or denied.');
  return text;
}

function instant(text: string): number {
  const ms = parseInstant(text);
  if (ms === null) throw new InvalidArgumentError('A time as 2026-11-30 or 2026-11-30T12:00:00Z.');
  return ms / 1000;
}

function score(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('A number.');
  return value;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > 10_000) throw new InvalidArgumentError('From 1 to 10000.');
  return value;
}
