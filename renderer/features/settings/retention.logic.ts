const DAYS = [0, 7, 30, 90, 365];

/** The days to choose from, fewest first, with the one in force among them. */
export function retentionChoices(inForce: number): number[] {
  return [...new Set([...DAYS, inForce])].sort((one, other) => one - other);
}
