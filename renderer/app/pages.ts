import {
  Activity,
  ChartColumn,
  FlaskConical,
  Grid3x3,
  Hand,
  KeyRound,
  Lightbulb,
  type LucideIcon,
  ScrollText,
  Settings,
  Waypoints,
} from 'lucide-react';

/** The pages in the order of the navigation. */
export interface PageEntry {
  path:
    | '/live'
    | '/matrix'
    | '/grants'
    | '/approvals'
    | '/proposals'
    | '/turns'
    | '/audit'
    | '/statistics'
    | '/try'
    | '/settings';
  /** Key of its name in the app's strings. */
  name:
    | 'page.live'
    | 'page.matrix'
    | 'page.grants'
    | 'page.approvals'
    | 'page.proposals'
    | 'page.turns'
    | 'page.audit'
    | 'page.statistics'
    | 'page.try'
    | 'page.settings';
  icon: LucideIcon;
}

export const PAGES: readonly PageEntry[] = [
  { path: '/live', name: 'page.live', icon: Activity },
  { path: '/matrix', name: 'page.matrix', icon: Grid3x3 },
  { path: '/grants', name: 'page.grants', icon: KeyRound },
  { path: '/approvals', name: 'page.approvals', icon: Hand },
  { path: '/proposals', name: 'page.proposals', icon: Lightbulb },
  { path: '/turns', name: 'page.turns', icon: Waypoints },
  { path: '/audit', name: 'page.audit', icon: ScrollText },
  { path: '/statistics', name: 'page.statistics', icon: ChartColumn },
  { path: '/try', name: 'page.try', icon: FlaskConical },
  { path: '/settings', name: 'page.settings', icon: Settings },
];

/** The digit that opens the page at a place, from 0: its number, as on the row of digits. */
export function pageDigit(index: number): string {
  return String((index + 1) % 10);
}
