import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Toaster } from '../../ui/toast.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { useApprovalsSync } from '../approvals/use-approvals-sync.ts';
import { useNoticesOfApprovals } from '../approvals/use-notices.ts';
import { useAppText } from '../i18n/app-text.ts';
import { FrozenBanner } from '../level/freeze.tsx';
import { UnfreezeDialog } from '../level/unfreeze-dialog.tsx';
import { PAGES, pageDigit } from '../pages.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { keyIsTaken } from './go.logic.ts';
import { GoDialog } from './go-dialog.tsx';
import { Navigation } from './navigation.tsx';
import { TopBar } from './top-bar.tsx';

function useShortcuts(openGo: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openGo();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || keyIsTaken(event.target)) return;
      const page = PAGES.find((_, index) => pageDigit(index) === event.key);
      if (page) void navigate({ to: page.path });
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [navigate, openGo]);
}

/** The frame that stands around every page. */
export function Shell() {
  const t = useAppText();
  const [going, setGoing] = useState(false);
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const page = PAGES.find((each) => each.path === path);
  const title = page ? `${t(page.name)} · Vaglio` : 'Vaglio';
  const openGo = useRef(() => setGoing(true)).current;
  useShortcuts(openGo);
  useApprovalsSync();
  useNoticesOfApprovals();
  useEffect(() => {
    document.title = title;
  }, [title]);

  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page is the reason to move the focus
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus();
  }, [path]);

  return (
    <TooltipProvider>
      <div className="flex h-full">
        <button
          type="button"
          onClick={() => main.current?.focus()}
          className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md border border-line bg-raised px-3 py-1.5 focus:translate-y-0"
        >
          {t('skip')}
        </button>
        <Navigation />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar onGo={openGo} />
          <ConnectionBanner />
          <FrozenBanner />
          <main ref={main} id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
            <Outlet />
          </main>
        </div>
      </div>
      <GoDialog open={going} onClose={() => setGoing(false)} />
      <UnfreezeDialog />
      <Toaster />
    </TooltipProvider>
  );
}
