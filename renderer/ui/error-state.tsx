import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProblemText } from '../app/i18n/problem-text.ts';
import type { Problem } from '../rpc/problem.ts';
import { Button } from './button.tsx';
import { ForeignText } from './foreign-text.tsx';
import { useUiText } from './strings.ts';

function Words(props: { problem: Problem }) {
  const text = useProblemText()(props.problem);
  return (
    <>
      <p className="font-semibold text-ink">{text.title}</p>
      <p className="text-soft">{text.advice}</p>
      {props.problem.message && (
        <p className="mt-1 text-xs text-faint wrap-anywhere">
          <ForeignText text={props.problem.message} limit={600} />
        </p>
      )}
    </>
  );
}

/** A whole page or table that could not be had: what failed, what to do, and a way to try again. */
export function ErrorState(props: { problem: Problem; onRetry?: () => void; children?: ReactNode }) {
  const t = useUiText();
  return (
    <div role="alert" className="mx-auto flex max-w-110 flex-col items-center px-6 py-14 text-center">
      <TriangleAlert aria-hidden size={22} strokeWidth={1.5} className="mb-3 text-deny" />
      <Words problem={props.problem} />
      {props.children}
      {props.onRetry && (
        <Button className="mt-4" onClick={props.onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  );
}

/** The same in a strip, where what was there before still shows. */
export function ErrorStrip(props: { problem: Problem; onRetry?: () => void }) {
  const t = useUiText();
  return (
    <div role="alert" className="flex items-start gap-2 rounded-md border border-deny/50 bg-deny-soft px-3 py-2">
      <TriangleAlert aria-hidden size={14} className="mt-0.75 shrink-0 text-deny" />
      <div className="min-w-0 flex-1">
        <Words problem={props.problem} />
      </div>
      {props.onRetry && (
        <Button size="sm" onClick={props.onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  );
}
