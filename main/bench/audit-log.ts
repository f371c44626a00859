import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../shared/lib/seeded-random.ts';

/** Where a month of the made log begins, Unix seconds. */
const MONTHS = [
  ['2026-09.jsonl', Date.UTC(2026, 8, 1) / 1000, Date.UTC(2026, 9, 1) / 1000],
  ['2026-10.jsonl', Date.UTC(2026, 9, 1) / 1000, Date.UTC(2026, 10, 1) / 1000],
  ['2026-11.jsonl', Date.UTC(2026, 10, 1) / 1000, Date.UTC(2026, 11, 1) / 1000],
] as const;

const VERBS = ['leggi', 'archivia', 'scarica', 'sposta', 'riassumi', 'read', 'send', 'tidy up', 'compare', 'cerca'];
const THINGS = [
  'le fatture di novembre',
  'la città più vicina',
  'the notes of the meeting',
  'i pdf in Archivio',
  'le foto della gita',
  'the weekly report for Anna',
  'perché il bonifico è fallito',
  'the downloads folder',
  'il riepilogo per il commercialista',
  'the open issues of the project',
];
const EXECUTORS = [
  'read_files',
  'write_files',
  'shell_exec',
  'get_urls',
  'read_urls_html',
  'send_messages',
  'find_files',
  'move_files',
  'delete_files',
  'list_messages',
  'create_events',
  'describe_images',
];
const KEYS = [['path'], ['content', 'path'], ['command'], ['url'], ['to', 'text'], ['paths', 'pattern', 'recursive']];
const PATTERNS = [
  String.raw`(^|/)\\.ssh(/|$)`,
  '^/etc/(passwd|shadow|sudoers)',
  String.raw`\\.aws/credentials`,
  String.raw`\\.gnupg(/|$)`,
  '^/root(/|$)',
];
const LINES_PER_WRITE = 4096;

/**
 * Writes a verdict log as the original writes it, over three months and several files, the same for the same seed.
 * @returns bytes written
 */
export function writeAuditLog(folder: string, lines: number, seed = 20261130): number {
  mkdirSync(folder, { recursive: true });
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let bytes = 0;
  let left = lines;
  for (const [index, [name, from, to]] of MONTHS.entries()) {
    const count = index === MONTHS.length - 1 ? left : Math.floor(lines / MONTHS.length);
    left -= count;
    const fd = openSync(join(folder, name), 'w', 0o600);
    let text = '';
    for (let n = 0; n < count; n++) {
      const ts = from + ((n + random()) / count) * (to - from - 1);
      text += lineOf(pick, random, Math.round(ts * 1e7) / 1e7);
      if (n % LINES_PER_WRITE === LINES_PER_WRITE - 1 || n === count - 1) {
        bytes += writeSync(fd, text);
        text = '';
      }
    }
    closeSync(fd);
  }
  return bytes;
}

function lineOf(pick: <T>(list: readonly T[]) => T, random: () => number, ts: number): string {
  const kind = random();
  const intent = `${pick(VERBS)} ${pick(THINGS)}${random() < 0.3 ? ` (${Math.floor(random() * 10_000)})` : ''}`;
  const executor = kind < 0.04 ? 'shell_exec' : pick(EXECUTORS);
  const keys = JSON.stringify(pick(KEYS)).replaceAll(',', ', ');
  const head = (approved: boolean, reason: string, score: string, by: string): string =>
    `{"approved": ${approved}, "reason": "${reason}", "ts": ${ts}, "judge_kind": "rule-based-v1", "score": ${score}, "blocked_by": ${by}, "intent": "${intent}", "executor": "${executor}", "args_keys": ${keys}, "context_keys": ["mode", "step"]}\n`;
  if (kind < 0.08) {
    const pattern = pick(PATTERNS).replaceAll('\\', '\\\\');
    return head(false, `guard: forbidden path violato: pattern '${pattern}' in args`, '0.0', '"guard"');
  }
  const score = Math.floor(random() * 15) / 20 + (kind < 0.12 ? 0 : 0.3);
  const shown = score.toFixed(2);
  if (score < 0.3)
    return head(false, `judge: score ${shown} < soglia 0.30 (score base)`, String(Number(shown)), '"judge"');
  const notes = random() < 0.2 ? 'score base, +0.10 read-only verb' : 'score base';
  return head(true, `approved: score ${shown} (${notes})`, String(Number(shown)), 'null');
}
