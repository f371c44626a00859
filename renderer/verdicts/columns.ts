/**
 * The columns' widths, the same for head and rows. They follow the width of the list, not of the window:
 * beside open details the rule and the score give way; both stand in the details.
 */
export const GRID = [
  'grid items-center gap-x-3 px-4',
  'grid-cols-[7rem_6rem_8.5rem_minmax(0,1fr)]',
  '@min-[36rem]:grid-cols-[7rem_6rem_8.5rem_minmax(0,1fr)_5rem]',
  '@min-[48rem]:grid-cols-[7rem_6rem_8.5rem_minmax(0,1fr)_5.5rem_5rem]',
  '@min-[58rem]:grid-cols-[7rem_6rem_9.5rem_minmax(0,1fr)_5.5rem_5rem_minmax(0,13rem)]',
].join(' ');

export const FROM_PHASE = 'hidden @min-[36rem]:flex';
export const FROM_SCORE = 'hidden @min-[48rem]:flex';
export const FROM_RULE = 'hidden @min-[58rem]:flex';

/** px; the virtual list counts on it. */
export const ROW_HEIGHT = 28;
