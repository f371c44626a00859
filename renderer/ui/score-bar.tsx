import { useUiText } from './strings.ts';

/** A score in [0, 1] as a bar with the threshold as a tick, and as a number. null = the log has none. */
export function ScoreBar(props: { score: number | null; threshold?: number | null; wide?: boolean }) {
  const t = useUiText();
  if (props.score === null)
    return (
      <span className="text-faint">
        –<span className="sr-only">{t('noScore')}</span>
      </span>
    );
  const score = props.score.toFixed(2);
  const part = Math.min(1, Math.max(0, props.score));
  const threshold = props.threshold ?? null;
  const below = threshold !== null && props.score < threshold;
  return (
    <span
      role="img"
      aria-label={
        threshold === null ? t('scoreAlone', { score }) : t('score', { score, threshold: threshold.toFixed(2) })
      }
      className={props.wide ? 'flex items-center gap-2' : 'inline-flex items-center gap-2'}
    >
      <span className={`relative h-1 rounded-full bg-line ${props.wide ? 'flex-1' : 'w-10'}`}>
        <span
          className={`absolute inset-y-0 left-0 rounded-full ${below ? 'bg-deny' : 'bg-soft'}`}
          style={{ width: `${part * 100}%` }}
        />
        {threshold !== null && (
          <span className="absolute -top-0.5 h-2 w-px bg-ink" style={{ left: `${threshold * 100}%` }} />
        )}
      </span>
      <span className="font-mono text-xs">{score}</span>
    </span>
  );
}
