import { TriangleAlert } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useAppText } from '../i18n/app-text.ts';

/** What stands where a page will be while its code is being loaded. */
export function PagePending() {
  return (
    <div className="pt-11">
      <SkeletonRows rows={12} />
    </div>
  );
}

/** A page that failed to draw; frame and navigation go on. */
export function PageFailed(props: { error: unknown }) {
  const t = useAppText();
  return (
    <div role="alert" className="mx-auto flex max-w-110 flex-col items-center px-6 py-14 text-center">
      <TriangleAlert aria-hidden size={22} strokeWidth={1.5} className="mb-3 text-deny" />
      <h1 className="font-semibold">{t('error.page')}</h1>
      <p className="mt-1 text-soft">{t('error.pageHelp')}</p>
      <p className="mt-2 font-mono text-xs text-faint wrap-anywhere">
        {props.error instanceof Error ? props.error.message : String(props.error)}
      </p>
      <Button className="mt-4" onClick={() => window.location.reload()}>
        {t('error.reload')}
      </Button>
    </div>
  );
}
