import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../shared/lib/seeded-random.ts';
import { createGrantsRepository } from '../db/grants.ts';
import { makePairingsFile } from '../db/pairings-file.ts';
import type { Paths } from '../engine/paths.ts';
import { formatInstant } from '../policy/dates.ts';
import { type LogEntry, logLine } from '../vaglio/log-line.ts';
import { drawCall, type SampleCall } from './sample-calls.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HISTORY_DAYS = 30;

/** Judges one call at one instant, as the running engine would. */
export type JudgeAt = (call: SampleCall, at: number) => LogEntry;

function makeGrants(paths: Paths, now: number): void {
  const grants = createGrantsRepository(paths.grantsDb);
  const ago = (days: number) => formatInstant(now - days * DAY);
  const roberto = { channel: 'telegram', sender_id: 'roberto', granted_by: 'telegram:roberto' };
  const rows = [
    { ...roberto, capability: 'fs:read', target: '~/Documents/**', granted_at: ago(25), expires_at: null },
    { ...roberto, capability: 'network:http', target: 'example.org', granted_at: ago(18), expires_at: null },
    {
      ...roberto,
      capability: 'fs:write',
      target: '~/Documents/fatture-2026/*',
      granted_at: ago(12),
      expires_at: formatInstant(now + 60 * DAY),
    },
    {
      channel: 'web',
      sender_id: 'roberto',
      granted_by: 'web:roberto',
      capability: 'calendar:read',
      target: 'personale',
      granted_at: ago(6),
      expires_at: null,
    },
    {
      channel: 'telegram',
      sender_id: 'anna',
      granted_by: 'telegram:anna',
      capability: 'fs:read',
      target: '~/Foto/**',
      granted_at: ago(4),
      expires_at: formatInstant(now + 2 * HOUR),
    },
  ];
  for (const row of rows) grants.record(row);
  grants.close();
}

function makePairings(paths: Paths, now: number): void {
  const paired_at = formatInstant(now - 200 * DAY);
  const common = { paired_at, paired_by: 'author', last_seen: formatInstant(now - HOUR), revoked_at: null };
  makePairingsFile(paths.pairingsDb, [
    { ...common, channel: 'telegram', sender_id: 'roberto', autonomy_level: 'Supervised', display_name: 'Roberto' },
    { ...common, channel: 'web', sender_id: 'roberto', autonomy_level: 'Full', display_name: 'Roberto' },
    { ...common, channel: 'telegram', sender_id: 'anna', autonomy_level: 'ReadOnly', display_name: 'Anna' },
    {
      ...common,
      channel: 'telegram',
      sender_id: 'oldphone',
      autonomy_level: 'Full',
      display_name: null,
      revoked_at: formatInstant(now - 90 * DAY),
    },
  ]);
}

/** More by day than by night, so that the charts look like a life. */
function callsInHour(hour: number, random: () => number): number {
  const awake = hour >= 7 && hour <= 23;
  return Math.floor(random() * (awake ? 5 : 1.3));
}

function makeHistory(paths: Paths, now: number, judgeAt: JudgeAt): void {
  const random = seededRandom(7);
  mkdirSync(paths.verdictLog, { recursive: true, mode: 0o700 });
  const months = new Map<string, string[]>();
  for (let at = now - HISTORY_DAYS * DAY; at < now - HOUR; at += HOUR) {
    const calls = callsInHour(new Date(at).getHours(), random);
    const times = Array.from({ length: calls }, () => at + Math.floor(random() * HOUR)).toSorted((a, b) => a - b);
    for (const time of times) {
      const date = new Date(time);
      const name = `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}.jsonl`;
      const lines = months.get(name) ?? [];
      lines.push(`${logLine(judgeAt(drawCall(random), time))}\n`);
      months.set(name, lines);
    }
  }
  for (const [name, lines] of months) appendFileSync(join(paths.verdictLog, name), lines.join(''), { mode: 0o600 });
}

/** Fills an empty home with a month of an invented agent's life. @param now ms since the epoch */
export function makeSampleHome(paths: Paths, now: number, judgeAt: JudgeAt): void {
  mkdirSync(paths.stateDir, { recursive: true, mode: 0o700 });
  makeGrants(paths, now);
  makePairings(paths, now);
  makeHistory(paths, now, judgeAt);
}
