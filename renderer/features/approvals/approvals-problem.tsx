import { TriangleAlert } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useUiText } from '../../ui/strings.ts';
import { useApprovalsText } from './strings.ts';

/** The approvals file is damaged, locked or not readable: the engine's sentence names it and says what to do. */
export function ApprovalsProblem(props: { text: string; onRetry?: () => void }) {
  const t = useApprovalsText();
  const ui = useUiText();
  return (
    <div role="alert" className="m-4 flex items-start gap-3 rounded-md border border-deny/50 bg-deny-soft px-4 py-3">
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-deny" />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">{t('problem.title')}</h2>
        <p className="wrap-anywhere">
          <ForeignText text={props.text} />
        </p>
        <p className="mt-1 text-xs text-soft">{t('problem.rest')}</p>
      </div>
      {props.onRetry && (
        <Button size="sm" onClick={props.onRetry}>
          {ui('retry')}
        </Button>
      )}
    </div>
  );
}
