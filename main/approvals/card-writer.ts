import type { ApprovalsRepository, NewPending } from '../db/approvals.ts';

/** Writes the cards that are asked for in one turn of the event loop in one transaction. */
export interface CardWriter {
  /** Resolves when the row is on disk. Rejects with the repository's error. */
  add(row: NewPending): Promise<void>;
}

interface Waiting {
  row: NewPending;
  resolve(): void;
  reject(error: unknown): void;
}

export function createCardWriter(repository: Pick<ApprovalsRepository, 'add'>): CardWriter {
  let waiting: Waiting[] = [];

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    try {
      repository.add(...batch.map(({ row }) => row));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return {
    add: (row) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ row, resolve, reject });
      }),
  };
}
