import { Link } from '@tanstack/react-router';
import { cx } from '../../ui/cx.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { useApprovals } from '../approvals/approvals.store.ts';
import { useAppText } from '../i18n/app-text.ts';
import { useInfo } from '../info.store.ts';
import { PAGES, pageDigit } from '../pages.ts';

function Brand() {
  return (
    <div className="flex h-12 items-center gap-2.5 px-4 select-none max-[1040px]:justify-center max-[1040px]:px-0">
      <svg aria-hidden="true" width="18" height="18" viewBox="0 0 16 16" className="shrink-0 text-accent">
        <rect width="16" height="16" rx="4" fill="currentColor" />
        <g fill="var(--on-accent)">
          <path d="M3 5.5h10a5 5 0 0 1-10 0z" />
          <circle cx="8" cy="12.9" r=".9" />
          <circle cx="5.6" cy="2.9" r=".9" />
          <circle cx="8" cy="2.9" r=".9" />
          <circle cx="10.4" cy="2.9" r=".9" />
        </g>
      </svg>
      <span className="text-lg font-semibold max-[1040px]:sr-only">Vaglio</span>
    </div>
  );
}

/** How many calls wait for a person; nothing when none does. */
function WaitingCount() {
  const t = useAppText();
  const pending = useApprovals((approvals) => approvals.pending);
  if (pending === 0) return null;
  return (
    <span
      role="img"
      aria-label={t('page.waiting', { count: pending })}
      data-testid="waiting-count"
      className="inline-flex h-4 min-w-4 shrink-0 items-center justify-center rounded-full bg-ask px-1 text-2xs font-semibold text-canvas max-[1040px]:absolute max-[1040px]:top-0.5 max-[1040px]:right-1"
    >
      {pending > 99 ? '99+' : pending}
    </span>
  );
}

/** The pages, each with the digit that opens it. In a narrow window only their pictures are seen. */
export function Navigation() {
  const t = useAppText();
  const info = useInfo((now) => now.info);
  return (
    <div className="flex w-47 shrink-0 flex-col border-r border-line bg-panel max-[1040px]:w-14">
      <Brand />
      <nav aria-label={t('navigation')} className="flex-1 overflow-y-auto px-2">
        <ul className="flex flex-col gap-px">
          {PAGES.map((page, index) => (
            <li key={page.path}>
              <Link
                to={page.path}
                title={`${t(page.name)} (${pageDigit(index)})`}
                className="group relative flex h-7 items-center gap-2.5 rounded-md px-2 text-soft select-none hover:bg-hover hover:text-ink max-[1040px]:h-9 max-[1040px]:justify-center max-[1040px]:px-0"
                activeProps={{ className: '!bg-selected !text-ink font-medium' }}
                activeOptions={{ includeSearch: false }}
              >
                <page.icon
                  aria-hidden
                  size={15}
                  strokeWidth={1.75}
                  className="shrink-0 text-faint group-aria-[current=page]:text-accent"
                />
                <span className="min-w-0 flex-1 truncate max-[1040px]:sr-only">{t(page.name)}</span>
                {page.path === '/approvals' && <WaitingCount />}
                <span aria-hidden className="group-has-data-[testid=waiting-count]:hidden max-[1040px]:hidden">
                  <Kbd>{pageDigit(index)}</Kbd>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {info && (
        <p className={cx('px-4 py-3 text-2xs text-faint max-[1040px]:sr-only')}>
          {t('version', { version: info.version })}
        </p>
      )}
    </div>
  );
}
