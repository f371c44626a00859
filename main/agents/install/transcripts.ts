import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Larger ones are left out and counted. */
const LARGEST = 64 * 1024 * 1024;

/** What Claude Code's own transcripts say of its calls. Read only. */
export interface ToolUses {
  /** Calls by session, since the given time. */
  sessions: Map<string, number>;
  /** Files that could not be read. */
  unread: number;
}

/**
 * Counts the calls that Claude Code made itself note of, to hold them against those that it asked about.
 *
 * @param folder `projects` of its settings folder
 * @param sinceMs Unix time, ms
 */
export async function countToolUses(folder: string, sinceMs: number): Promise<ToolUses> {
  const uses: ToolUses = { sessions: new Map(), unread: 0 };
  let names: string[];
  try {
    names = await readdir(folder, { recursive: true });
  } catch {
    return uses;
  }
  for (const name of names) {
    if (!name.endsWith('.jsonl')) continue;
    try {
      const path = join(folder, name);
      const { mtimeMs, size } = await stat(path);
      if (mtimeMs < sinceMs) continue;
      if (size > LARGEST) uses.unread += 1;
      else countIn(await readFile(path, 'utf8'), sinceMs, uses.sessions);
    } catch {
      uses.unread += 1;
    }
  }
  return uses;
}

function countIn(text: string, sinceMs: number, sessions: Map<string, number>): void {
  for (const line of text.split('\n')) {
    if (!line.includes('"tool_use"')) continue;
    const found = usesIn(line, sinceMs);
    if (found !== null) sessions.set(found.session, (sessions.get(found.session) ?? 0) + found.calls);
  }
}

function usesIn(line: string, sinceMs: number): { session: string; calls: number } | null {
  let entry: { type?: unknown; sessionId?: unknown; timestamp?: unknown; message?: { content?: unknown } } | null;
  try {
    entry = JSON.parse(line);
  } catch {
    return null;
  }
  if (entry?.type !== 'assistant' || typeof entry.sessionId !== 'string') return null;
  const at = typeof entry.timestamp === 'string' ? Date.parse(entry.timestamp) : Number.NaN;
  if (!(at >= sinceMs) || !Array.isArray(entry.message?.content)) return null;
  const calls = entry.message.content.filter((part) => (part as { type?: unknown } | null)?.type === 'tool_use').length;
  return calls === 0 ? null : { session: entry.sessionId, calls };
}
