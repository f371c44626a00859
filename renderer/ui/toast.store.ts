import { create } from 'zustand';

export interface ToastMessage {
  id: number;
  text: string;
  /** A second line. */
  detail?: string | undefined;
  tone: 'plain' | 'error';
  action?: { label: string; run: () => void } | undefined;
  /** Milliseconds on screen; the time stands still while the pointer or the focus is on it. */
  duration: number;
}

interface Toasts {
  messages: readonly ToastMessage[];
  dismiss: (id: number) => void;
}

export const useToasts = create<Toasts>((set) => ({
  messages: [],
  dismiss: (id) => set((state) => ({ messages: state.messages.filter((each) => each.id !== id) })),
}));

const MAX_SHOWN = 4;
/** Long enough to read and reach: the time in which a revocation can be undone from the message. */
export const UNDO_MS = 10_000;
let last = 0;

/** Shows a short message; with an action it stays 10 s, otherwise 5 s. Gives its id. */
export function showToast(message: {
  text: string;
  detail?: string;
  tone?: ToastMessage['tone'];
  action?: { label: string; run: () => void };
}): number {
  last += 1;
  const id = last;
  const duration = message.action || message.tone === 'error' ? UNDO_MS : UNDO_MS / 2;
  useToasts.setState((state) => ({
    messages: [
      ...state.messages.slice(-(MAX_SHOWN - 1)),
      {
        id,
        text: message.text,
        detail: message.detail,
        tone: message.tone ?? 'plain',
        action: message.action,
        duration,
      },
    ],
  }));
  return id;
}
