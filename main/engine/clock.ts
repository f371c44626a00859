/** Unix time in milliseconds; an argument everywhere, so that a test can say what time it is. */
export type Clock = () => number;
