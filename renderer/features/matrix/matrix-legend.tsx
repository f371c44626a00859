import { KeyRound, Zap } from 'lucide-react';
import type { Fired } from '../../../shared/rpc/policy.ts';
import { KeptSince } from '../../app/level/past-calls.tsx';
import { Badge } from '../../ui/badge.tsx';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { useMatrixText } from './strings.ts';

/** What the marks mean, in words. */
export function MatrixLegend(props: { fired: Fired | undefined }) {
  const t = useMatrixText();
  const outcomes = ['allowed', 'approval_required', 'denied'] as const;
  return (
    <div className="@container mt-auto shrink-0">
      <dl
        aria-label={t('legend')}
        className="grid grid-cols-[repeat(2,auto_1fr)] @min-[52rem]:grid-cols-[repeat(3,auto_1fr)] items-center gap-x-2.5 gap-y-1.5 px-4 py-3 text-xs text-soft"
      >
        {outcomes.map((outcome) => (
          <Entry key={outcome} mark={<OutcomeMark outcome={outcome} size={12} />} text={t(`legend.${outcome}`)} />
        ))}
        <Entry
          mark={
            <span className="inline-flex items-center gap-1 text-accent">
              <KeyRound aria-hidden size={12} strokeWidth={1.75} />n
            </span>
          }
          text={t('legend.grants')}
        />
        <Entry
          mark={
            <span className="inline-flex items-center gap-0.5 text-faint">
              <Zap aria-hidden size={11} strokeWidth={1.75} />n
            </span>
          }
          text={t('legend.fired')}
        />
        <Entry mark={<Badge tone="deny">{t('critical')}</Badge>} text={t('critical.help')} />
        <Entry mark={<Badge tone="ask">{t('always')}</Badge>} text={t('always.help')} />
      </dl>
      {props.fired && (
        <div className="px-4 pb-3 text-xs text-faint">
          <KeptSince kept={props.fired.kept} since={props.fired.since_ms} />
        </div>
      )}
    </div>
  );
}

function Entry(props: { mark: React.ReactNode; text: string }) {
  return (
    <>
      <dt className="flex">{props.mark}</dt>
      <dd className="min-w-0">{props.text}</dd>
    </>
  );
}
