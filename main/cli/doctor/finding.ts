/** One line of `vaglio doctor`. */
export interface Finding {
  name: string;
  /** `warning`: works, and could be better; `unused`: not set up, so nothing is known to hold. */
  state: 'ok' | 'warning' | 'failed' | 'unused';
  /** What was seen, and what to do where it is not well. */
  detail: string;
}
