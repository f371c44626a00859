import type { VerdictRow } from '../../../shared/domain/verdict.ts';

interface Entry {
  /** Place in time: the row's `ts`, or its neighbour's when it has none. */
  at: number;
  row: VerdictRow;
}

function before(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.row.seq < other.row.seq);
}

/** Merges two lists that are each in order. */
function merge(left: readonly Entry[], right: readonly Entry[]): Entry[] {
  const merged: Entry[] = [];
  let a = 0;
  let b = 0;
  for (;;) {
    const one = left[a];
    const other = right[b];
    if (one && (!other || before(one, other))) {
      merged.push(one);
      a += 1;
    } else if (other) {
      merged.push(other);
      b += 1;
    } else return merged;
  }
}

/** Most rows held at once; older ones are asked for again when they are scrolled to. */
export const MAX_ROWS = 200_000;
// Cutting a little more than needed keeps the cost of cutting away from every batch.
const SLACK = 1000;

/**
 * The rows of the Live page, newest first, with what arrives while the list stands still kept aside.
 * No row twice, none lost: what is cut for want of room can be loaded again, and `more` says so.
 */
export class LiveList {
  readonly #limit: number;
  // Oldest first, so that new rows go to the end.
  #entries: Entry[] = [];
  #aside: Entry[] = [];
  readonly #seqs = new Set<number>();
  #more = false;
  #lastSeq: number | null = null;

  constructor(limit: number = MAX_ROWS) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#entries.length;
  }
  /** Rows that wait until the list moves again. */
  get waiting(): number {
    return this.#aside.length;
  }
  /** True when there are older rows than the last one here. */
  get more(): boolean {
    return this.#more;
  }
  /** The highest seq seen, also of rows that a filter kept out; null before the first. */
  get lastSeq(): number | null {
    return this.#lastSeq;
  }

  /** The row at a place, 0 = newest. */
  row(index: number): VerdictRow | undefined {
    return this.#entries[this.#entries.length - 1 - index]?.row;
  }

  /** The place of a row, -1 when it is not in the list. */
  indexOf(seq: number): number {
    const found = this.#entries.findLastIndex((entry) => entry.row.seq === seq);
    return found < 0 ? -1 : this.#entries.length - 1 - found;
  }

  /** Notes how far the stream has come, so that it can go on from there. */
  saw(rows: readonly VerdictRow[]): void {
    for (const { seq } of rows) this.#lastSeq = Math.max(this.#lastSeq ?? seq, seq);
  }

  /** The index was built anew: its numbers have nothing to do with those seen so far. */
  forget(): void {
    this.#lastSeq = null;
  }

  /** Starts anew with the first page (newest first). */
  reset(rows: readonly VerdictRow[], more: boolean): void {
    this.#entries = [];
    this.#aside = [];
    this.#seqs.clear();
    this.#more = more;
    this.#addPage(rows);
  }

  /** Adds the page that lies behind the last row (newest first). */
  addOlder(rows: readonly VerdictRow[], more: boolean): void {
    this.#more = more;
    this.#addPage(rows);
  }

  #addPage(rows: readonly VerdictRow[]): void {
    this.saw(rows);
    const page: Entry[] = [];
    let at = this.#entries[0]?.at ?? rows.find((row) => row.ts !== null)?.ts ?? 0;
    for (const row of rows) {
      // The engine's order is kept as it is; a row without a time takes the place it was given.
      if (row.ts !== null) at = Math.min(at, row.ts);
      if (this.#seqs.has(row.seq)) continue;
      this.#seqs.add(row.seq);
      page.push({ at, row });
    }
    this.#entries = [...page.reverse(), ...this.#entries];
    // A page is never cut again: the person is looking at it. The next new rows make room.
  }

  /** Adds rows that have just been indexed; with `held` they wait until `release`. */
  addNew(rows: readonly VerdictRow[], held: boolean): void {
    this.saw(rows);
    const newest = this.#aside.at(-1) ?? this.#entries.at(-1);
    const oldest = this.#entries[0] ?? this.#aside[0];
    const fresh: Entry[] = [];
    for (const row of rows) {
      const at = row.ts ?? newest?.at ?? 0;
      // It lies behind the last row, where scrolling will load it.
      if (this.#more && oldest && before({ at, row }, oldest)) continue;
      if (this.#seqs.has(row.seq)) continue;
      this.#seqs.add(row.seq);
      fresh.push({ at, row });
    }
    if (held) this.#aside = append(this.#aside, fresh);
    else this.#entries = append(this.#entries, fresh);
    this.#cut();
  }

  /** Lets in what was kept aside. */
  release(): void {
    if (this.#aside.length === 0) return;
    this.#entries = append(this.#entries, this.#aside);
    this.#aside = [];
    this.#cut();
  }

  #cut(): void {
    const over = this.#entries.length + this.#aside.length - this.#limit;
    if (over <= 0 || (over < SLACK && this.#limit > SLACK)) return;
    this.#more = true;
    const fromShown = this.#entries.splice(0, over);
    const fromAside = this.#aside.splice(0, over - fromShown.length);
    for (const entry of [...fromShown, ...fromAside]) this.#seqs.delete(entry.row.seq);
  }
}

/** The usual case, everything newer, costs no more than what is added. */
function append(to: Entry[], added: Entry[]): Entry[] {
  const inOrder = added.every((entry, index) => {
    const last = index === 0 ? to.at(-1) : added[index - 1];
    return !last || !before(entry, last);
  });
  if (inOrder) {
    for (const entry of added) to.push(entry);
    return to;
  }
  return merge(
    to,
    [...added].sort((one, other) => (before(one, other) ? -1 : 1)),
  );
}
