/** One line of `vaglio doctor`. */
export interface Finding {
  name: string;
  /** `warning`: works, and could be better. */
  state: 'ok' | 'warning' | 'failed';
  /** What was seen, and what to do where it is not well. */
  detail: string;
}
