import { create } from 'zustand';

/** Whether the dialog that shows what unfreezing brings back is open; it is reached from several places. */
export const useUnfreezing = create<{ open: boolean }>(() => ({ open: false }));

export function openUnfreeze(): void {
  useUnfreezing.setState({ open: true });
}
