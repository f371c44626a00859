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
  Waypoints,
} from 'lucide-react';

/** The pages in the order of the navigation; the digit that opens each is its place in it. */
export interface PageEntry {
  path: '/live' | '/matrix' | '/grants' | '/approvals' | '/proposals' | '/turns' | '/audit' | '/statistics' | '/try';
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
    | 'page.try';
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
];
