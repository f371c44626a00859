/** The columns' widths, the same for head and rows; beside an open turn only time, outcome and intent stay. */
export const GRID = [
  'grid items-center gap-x-3 px-4',
  'grid-cols-[7rem_1rem_minmax(0,1fr)]',
  '@min-[30rem]:grid-cols-[7rem_7.5rem_minmax(0,1fr)]',
  '@min-[36rem]:grid-cols-[7rem_7.5rem_minmax(0,1fr)_8rem]',
  '@min-[52rem]:grid-cols-[8rem_8rem_minmax(0,1fr)_minmax(0,12rem)_8.5rem_5rem]',
].join(' ');

/** Below it the sign of the outcome stands alone. */
export const OUTCOME_WORD = 'sr-only @min-[30rem]:not-sr-only';
export const FROM_STEPS = 'hidden @min-[36rem]:flex';
export const FROM_SENDER = 'hidden @min-[52rem]:flex';

/** px; the virtual list counts on it. */
export const ROW_HEIGHT = 28;
