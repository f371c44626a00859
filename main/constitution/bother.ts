/** What a person is willing to be interrupted (constitution page, section 4). */
export interface BotherBudget {
  /** Cost of an interruption once the day's quota is used up. */
  base: number;
  /** Proposals of a day, 1 or more. */
  dailyQuota: number;
}

/** Grows with each one that was published today, so that the next interruption has to be worth more. */
export function botherCost({ base, dailyQuota }: BotherBudget, publishedToday: number): number {
  return (base * publishedToday) / dailyQuota;
}
