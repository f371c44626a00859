import { KeyRound } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { useMatrixText } from './strings.ts';

/** What the marks mean, in words. */
export function MatrixLegend() {
  const t = useMatrixText();
  const outcomes = ['allowed', 'approval_required', 'denied'] as const;
  return (
    <dl
      aria-label={t('legend')}
      className="grid shrink-0 grid-cols-[repeat(3,auto_1fr)] items-center gap-x-2 gap-y-1 border-t border-line bg-panel px-4 py-2 text-xs text-soft max-[1100px]:grid-cols-[repeat(2,auto_1fr)]"
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
      <Entry mark={<Badge tone="deny">{t('critical')}</Badge>} text={t('critical.help')} />
      <Entry mark={<Badge tone="ask">{t('always')}</Badge>} text={t('always.help')} />
    </dl>
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
