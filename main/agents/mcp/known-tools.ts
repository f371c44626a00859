import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from './messages.ts';

/**
 * What was seen of each server's tools (agents page, "MCP"): a tool whose definition is another one than at first sight
 * is asked about again, since whoever approved the old one did not approve this.
 */
export interface KnownTools {
  /** Takes the tools of one answer to `tools/list`. */
  seen(tools: readonly unknown[]): void;
  hasChanged(tool: string): boolean;
  /** A person has let the tool run as it is now. */
  accept(tool: string): void;
}

/** Keys as they come are no part of what a tool is. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, ordered(value[key])]),
  );
}

function hashOf(tool: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(tool)))
    .digest('hex');
}

/**
 * @param options.path of the file that keeps what was seen, for all servers
 * @param options.server names the server in it
 * @param options.log one line about a file that cannot be used; every tool then counts as changed
 */
export function createKnownTools(options: { path: string; server: string; log: (line: string) => void }): KnownTools {
  const { path, server, log } = options;
  /** As they are now. */
  const current = new Map<string, string>();
  const changed = new Set<string>();

  const read = (): Record<string, Record<string, string>> => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
    const all: unknown = JSON.parse(text);
    if (!isRecord(all)) throw new Error('it is no object');
    return all as Record<string, Record<string, string>>;
  };
  const own = (all: Record<string, Record<string, string>>): Map<string, string> => {
    const mine = Object.hasOwn(all, server) ? all[server] : undefined;
    return new Map(isRecord(mine) ? (Object.entries(mine) as [string, string][]) : []);
  };
  const write = (known: Map<string, string>): void => {
    const all = new Map(Object.entries(read()));
    all.set(server, Object.fromEntries(known));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    try {
      writeFileSync(draft, JSON.stringify(Object.fromEntries(all), null, 1), { mode: 0o600 });
      renameSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
  };
  const fail = (error: unknown): void => {
    log(
      `${path} cannot be used (${error instanceof Error ? error.message : String(error)}): each tool is asked about.`,
    );
  };

  return {
    seen: (tools) => {
      const names: string[] = [];
      for (const tool of tools) {
        if (!isRecord(tool) || typeof tool.name !== 'string') continue;
        current.set(tool.name, hashOf(tool));
        names.push(tool.name);
      }
      try {
        const known = own(read());
        let isNew = false;
        for (const name of names) {
          const before = known.get(name);
          const now = current.get(name) ?? '';
          if (before === now) changed.delete(name);
          else if (before !== undefined) changed.add(name);
          else {
            known.set(name, now);
            isNew = true;
          }
        }
        if (isNew) write(known);
      } catch (error) {
        fail(error);
        for (const name of names) changed.add(name);
      }
    },
    hasChanged: (tool) => changed.has(tool),
    accept: (tool) => {
      const now = current.get(tool);
      if (now === undefined) return;
      try {
        const known = own(read());
        known.set(tool, now);
        write(known);
        changed.delete(tool);
      } catch (error) {
        fail(error);
      }
    },
  };
}
