import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { PageFailed, PagePending } from './frame/page-states.tsx';
import { Shell } from './frame/shell.tsx';
import {
  readApprovalsSearch,
  readAuditSearch,
  readGrantsSearch,
  readProposalsSearch,
  readTurnsSearch,
  readVerdictSearch,
} from './links.ts';

const root = createRootRoute({ component: Shell });

const toLive = () => {
  throw redirect({ to: '/live', replace: true });
};

const index = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: toLive });

const live = createRoute({
  getParentRoute: () => root,
  path: '/live',
  validateSearch: readVerdictSearch,
  component: lazyRouteComponent(() => import('../features/live/live-page.tsx'), 'LivePage'),
});
const matrix = createRoute({
  getParentRoute: () => root,
  path: '/matrix',
  component: lazyRouteComponent(() => import('../features/matrix/matrix-page.tsx'), 'MatrixPage'),
});
const grants = createRoute({
  getParentRoute: () => root,
  path: '/grants',
  validateSearch: readGrantsSearch,
  component: lazyRouteComponent(() => import('../features/grants/grants-page.tsx'), 'GrantsPage'),
});
const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  validateSearch: readApprovalsSearch,
  component: lazyRouteComponent(() => import('../features/approvals/approvals-page.tsx'), 'ApprovalsPage'),
});
const turns = createRoute({
  getParentRoute: () => root,
  path: '/turns',
  validateSearch: readTurnsSearch,
  component: lazyRouteComponent(() => import('../features/turns/turns-page.tsx'), 'TurnsPage'),
});
const proposals = createRoute({
  getParentRoute: () => root,
  path: '/proposals',
  validateSearch: readProposalsSearch,
  component: lazyRouteComponent(() => import('../features/proposals/proposals-page.tsx'), 'ProposalsPage'),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../features/audit/audit-page.tsx'), 'AuditPage'),
});
const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  component: lazyRouteComponent(() => import('../features/statistics/statistics-page.tsx'), 'StatisticsPage'),
});
const tryIt = createRoute({
  getParentRoute: () => root,
  path: '/try',
  component: lazyRouteComponent(() => import('../features/try/try-page.tsx'), 'TryPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
});
const elsewhere = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: toLive });

/** The pages at their addresses, each loaded when it is first opened. Call it once. */
export function createPanelRouter() {
  return createRouter({
    routeTree: root.addChildren([
      index,
      live,
      matrix,
      grants,
      approvals,
      proposals,
      turns,
      audit,
      statistics,
      tryIt,
      settings,
      elsewhere,
    ]),
    history: createHashHistory(),
    defaultPreload: 'intent',
    defaultPendingMs: 120,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageFailed,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>;
  }
}
