import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A line of the list behind Ctrl/Cmd-K. */
export interface Command {
  id: string;
  group: string;
  label: ReactNode;
  icon: LucideIcon;
  hint?: string;
  /** It does something to the list itself, which stays open. */
  stays?: boolean;
  run: () => void;
}
