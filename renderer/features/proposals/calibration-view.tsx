import { Scale } from 'lucide-react';
import { useId, useState } from 'react';
import type { Calibration, ThresholdOutcome } from '../../../shared/rpc/proposals.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery, useSubscription } from '../../rpc/hooks.ts';
import { cx } from '../../ui/cx.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { JournalProblem } from './journal-problem.tsx';
import { figure } from './proposals.logic.ts';
import { useProposalsText } from './strings.ts';

const SORTED = ['publish', 'defer', 'reject'] as const;
const ANSWERED = ['hits', 'disturbances', 'missed', 'spared'] as const;

/** The judge's figures against what people answered, and what another threshold would have done. */
export function CalibrationView(props: { theta: number }) {
  const t = useProposalsText();
  const [theta, setTheta] = useState(props.theta);
  const { data, problem, loading, refetch } = useQuery(rpc.proposals.calibration, { theta });
  // Between two positions of the slider the last figures stay.
  const [last, setLast] = useState<(Calibration & { problem: string | null }) | null>(null);
  if (data && data !== last) setLast(data);
  useSubscription(rpc.proposals.changed, () => ({}), refetch);
  const shown = data ?? last;
  if (!shown)
    return loading ? <SkeletonRows rows={8} /> : problem && <ErrorState problem={problem} onRetry={refetch} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {shown.problem !== null && <JournalProblem text={shown.problem} />}
      {problem && <ErrorStrip problem={problem} onRetry={refetch} />}
      {shown.judged === 0 ? (
        <Empty icon={Scale} title={t('cal.none')}>
          {t('cal.noneText')}
        </Empty>
      ) : (
        <div className="mx-auto grid max-w-240 grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-8 p-4 max-[1040px]:max-w-136 max-[1040px]:grid-cols-1">
          <Outcomes calibration={shown} theta={theta} onTheta={setTheta} />
          <Bins calibration={shown} theta={theta} />
        </div>
      )}
    </div>
  );
}

function Outcomes(props: { calibration: Calibration; theta: number; onTheta: (theta: number) => void }) {
  const t = useProposalsText();
  const language = useLanguage();
  const slider = useId();
  const { calibration, theta } = props;
  const { in_force, supposed, judged, answered } = calibration;
  const rows = (names: readonly (keyof Omit<ThresholdOutcome, 'theta'>)[], label: (name: string) => string) =>
    names.map((name, index) => (
      <tr key={name} className={cx(index === 0 && '[&>*]:border-t [&>*]:border-line')}>
        <th scope="row" className="py-1 text-left font-normal">
          {label(name)}
        </th>
        <td className="py-1 text-right font-mono text-xs">{in_force[name]}</td>
        <td
          className={cx(
            'py-1 text-right font-mono text-xs',
            supposed[name] !== in_force[name] && 'font-semibold text-accent',
          )}
        >
          {supposed[name]}
        </td>
      </tr>
    ));
  return (
    <section aria-label={t('cal.outcome')}>
      <p className="mb-3 text-soft text-pretty">{t('cal.lead')}</p>
      <label htmlFor={slider} className="text-xs font-medium text-soft">
        {t('cal.theta')}
      </label>
      <div className="mb-4 flex items-center gap-3">
        <input
          id={slider}
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={Math.min(theta, 1)}
          onChange={(event) => props.onTheta(Number(event.target.value))}
          className="min-w-0 flex-1 accent-(--accent)"
        />
        <output htmlFor={slider} className="w-12 text-right font-mono text-xs">
          {figure(theta, language)}
        </output>
      </div>
      <table className="w-full" aria-label={t('cal.outcome')}>
        <thead>
          <tr className="text-xs text-faint [&>th]:pb-1 [&>th]:font-medium">
            <th />
            <th scope="col" className="text-right">
              {t('cal.inForce', { theta: figure(in_force.theta, language) })}
            </th>
            <th scope="col" className="pl-4 text-right">
              {t('cal.supposed', { theta: figure(supposed.theta, language) })}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows(SORTED, (name) => t(`cal.${name as (typeof SORTED)[number]}`))}
          {rows(ANSWERED, (name) => t(`cal.${name as (typeof ANSWERED)[number]}`))}
        </tbody>
      </table>
      <p className="mt-2 text-xs text-faint">{t('cal.of', { answered, judged })}</p>
    </section>
  );
}

const PARTS = [
  ['wanted', 'bg-chart-allow'],
  ['unwanted', 'bg-chart-guard'],
  ['open', 'bg-chart-other'],
] as const;

function Bins(props: { calibration: Calibration; theta: number }) {
  const t = useProposalsText();
  const language = useLanguage();
  const { bins } = props.calibration;
  const most = Math.max(1, ...bins.map(({ wanted, unwanted, open }) => wanted + unwanted + open));
  return (
    <section aria-label={t('cal.bins')}>
      <h2 className="mb-2 text-xs font-medium text-faint">{t('cal.bins')}</h2>
      <table className="w-full" aria-label={t('cal.bins')}>
        <thead>
          <tr className="text-xs text-faint [&>th]:pb-1 [&>th]:font-medium">
            <th scope="col" className="w-20 text-left">
              {t('cal.bin')}
            </th>
            <th aria-hidden />
            {PARTS.map(([part, ink]) => (
              <th key={part} scope="col" className="w-18 pl-2 text-right text-pretty">
                <span aria-hidden className={cx('mr-1 inline-block size-2 rounded-[2px]', ink)} />
                {t(`cal.${part}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bins.map((bin) => (
            <tr key={bin.from} className={cx(props.theta >= bin.from + 0.1 && 'text-faint')}>
              <th scope="row" className="py-1 text-left font-mono text-xs font-normal">
                {figure(bin.from, language)}
              </th>
              <td aria-hidden className="py-1">
                <div className="flex h-2.5 gap-px">
                  {PARTS.filter(([part]) => bin[part] > 0).map(([part, ink]) => (
                    <div key={part} className={ink} style={{ width: `${(bin[part] / most) * 100}%` }} />
                  ))}
                </div>
              </td>
              {PARTS.map(([part]) => (
                <td key={part} className="py-1 text-right font-mono text-xs">
                  {bin[part]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
