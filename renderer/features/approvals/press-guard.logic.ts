/** Nothing can be pressed for so long after a card appeared, the page moved or the window got the focus; ms (ui page, "Approvals"). */
export const GUARD_MS = 500;

/**
 * Says whether a press was meant for what it hit. A card that has just appeared, a list that has just moved
 * and a window that has just come forward may lie under a click or a key that was meant for something else.
 */
export class PressGuard {
  /** When each card was first painted; `null` while it has not been. */
  #painted = new Map<string, number | null>();
  #disturbed: number;
  readonly #listeners = new Set<() => void>();

  /** @param now the same clock as all instants given later, ms */
  constructor(now: number) {
    this.#disturbed = now;
  }

  /** Says which cards stand on the page, in order. True when that is a change. */
  show(cards: readonly string[], now: number): boolean {
    const before = [...this.#painted.keys()];
    if (before.length === cards.length && before.every((card, index) => card === cards[index])) return false;
    this.#painted = new Map(cards.map((card) => [card, this.#painted.get(card) ?? null]));
    this.disturb(now);
    return true;
  }

  /** All cards are now on the screen. */
  paint(now: number): void {
    for (const [card, at] of this.#painted) if (at === null) this.#painted.set(card, now);
    this.#tell();
  }

  /** Something moved, changed its size, or the window got the focus. */
  disturb(now: number): void {
    this.#disturbed = Math.max(this.#disturbed, now);
    this.#tell();
  }

  /** The instant from which the card can be pressed; Infinity for one that was never on the screen. */
  opensAt(card: string): number {
    const painted = this.#painted.get(card) ?? Number.POSITIVE_INFINITY;
    return Math.max(painted, this.#disturbed) + GUARD_MS;
  }

  /** Whether a press counts: it has to begin and to end after the card opened. */
  allows(card: string, began: number, ended: number): boolean {
    const opens = this.opensAt(card);
    return began >= opens && ended >= opens;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** When an event happened: its own time where it has a believable one, since a busy page may handle it late. */
export function timeOf(event: { timeStamp: number }, now: number): number {
  return event.timeStamp > 0 && event.timeStamp <= now ? event.timeStamp : now;
}
