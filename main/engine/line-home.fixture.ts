import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { DecideRequest } from '../../shared/domain/decision.ts';
import { createEngine, type Engine } from './engine.ts';

export const NOW = Date.UTC(2026, 10, 30, 12);

/** A whole engine over an empty home, made anew for each test of the file that calls this. */
export class LineHome {
  home = '';
  now = NOW;
  #engine: Engine | null = null;

  constructor() {
    beforeEach(async () => {
      this.home = mkdtempSync(join(tmpdir(), 'vaglio-line-'));
      this.now = NOW;
      await this.start();
    });
    afterEach(async () => {
      await this.engine.close();
      rmSync(this.home, { recursive: true, force: true });
    });
  }

  get engine(): Engine {
    if (this.#engine === null) throw new Error('there is no engine outside of a test');
    return this.#engine;
  }

  get approvals(): Engine['services']['approvals'] {
    return this.engine.services.approvals;
  }

  get level(): Engine['services']['level'] {
    return this.engine.services.level;
  }

  async start(env: Record<string, string> = {}): Promise<void> {
    const clock = (): number => this.now;
    this.#engine = await createEngine({
      env,
      home: this.home,
      clock,
      host: 'browser',
      demo: false,
      log: () => undefined,
    });
  }

  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.engine.close();
    await this.start(env);
  }

  decide(more: Partial<DecideRequest> = {}, signal?: AbortSignal) {
    return this.engine.line.decide(readNotes(more), signal === undefined ? {} : { signal });
  }

  cards = async () => (await this.approvals.list({ status: 'pending' })).cards;
  history = async () => (await this.approvals.list({ status: 'resolved' })).cards;
  decisions = async () => (await this.engine.services.line.decisions({ limit: 50 })).rows;
  grants = async () => (await this.engine.services.grants.list({})).grants;

  /** Until a card is open; the caller of `decide` waits meanwhile. */
  async cardOpen(): Promise<string> {
    for (;;) {
      const [card] = await this.cards();
      if (card?.waiting) return card.token;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  logged(): Record<string, unknown>[] {
    const folder = this.engine.paths.verdictLog;
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  }

  /** @returns the absolute path of what was written */
  write(path: string, text: string): string {
    const file = path.startsWith('~') ? join(this.home, path.slice(2)) : path;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  async toLevel(to: 'ReadOnly' | 'Full'): Promise<void> {
    const scope = { kind: 'default' as const };
    const { confirmation } = await this.level.preview({ scope, to });
    await this.level.set({ scope, to, confirmation });
  }
}

export function readNotes(more: Partial<DecideRequest> = {}): DecideRequest {
  return {
    channel: 'web',
    sender_id: 'anna',
    intent: 'read the notes',
    executor: 'read_files',
    args: { path: '~/notes/a.txt' },
    ...more,
  };
}
