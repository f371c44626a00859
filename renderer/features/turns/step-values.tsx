import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { TurnStep } from '../../../shared/domain/turn.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useTurnsText } from './strings.ts';

const SHOWN = 20_000;

/**
 * A text of the log in its own box; what was cut off is counted. The line breaks of indented JSON are ours: those in
 * values are written \n by JSON itself.
 */
export function LogText(props: { title: string; text: string; left: number }) {
  const t = useTurnsText();
  const lines = props.text.slice(0, SHOWN).split('\n');
  const left = props.left + Math.max(0, props.text.length - SHOWN);
  return (
    <div className="mt-2">
      <h4 className="text-xs text-faint">{props.title}</h4>
      <pre className="mt-0.5 max-h-60 overflow-y-auto rounded-md border border-line bg-canvas px-2.5 py-1.5 leading-4 whitespace-pre-wrap wrap-anywhere select-text">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
          <span key={index}>
            <ForeignText mono text={line} limit={SHOWN} />
            {'\n'}
          </span>
        ))}
      </pre>
      {left > 0 && <p className="text-xs text-faint">{t('values.cut', { count: left })}</p>}
    </div>
  );
}

function Values(props: { turnKey: string; index: number }) {
  const t = useTurnsText();
  const { data, problem, refetch } = useQuery(rpc.turns.values, { key: props.turnKey, index: props.index });
  if (problem) return <ErrorStrip problem={problem} onRetry={refetch} />;
  if (!data) return <Skeleton className="mt-2 w-full" />;
  const parts = [
    { name: 'resolved', json: data.resolved_args },
    // Said once where both are the same.
    { name: 'raw', json: data.raw_args.text === data.resolved_args.text ? null : data.raw_args },
    { name: 'result', json: data.result },
    { name: 'other', json: data.other },
  ] as const;
  const shown = parts.flatMap(({ name, json }) =>
    json?.text == null ? [] : [{ name, text: json.text, left: json.left }],
  );
  if (shown.length === 0) return <p className="mt-1 text-xs text-faint">{t('values.none')}</p>;
  return shown.map(({ name, text, left }) => (
    <LogText key={name} title={t(`values.${name}`)} text={text} left={left} />
  ));
}

/** The values of a step, read from the file only when somebody asks for them. */
export function StepValues(props: { turnKey: string; step: TurnStep }) {
  const t = useTurnsText();
  const [shown, setShown] = useState(false);
  const { step } = props;
  if (!step.has_values) {
    return <p className="mt-1 text-xs text-faint">{t(step.decided_ms === null ? 'values.none' : 'values.ours')}</p>;
  }
  return (
    <div className="mt-1.5">
      <Button size="sm" icon={shown ? EyeOff : Eye} aria-expanded={shown} onClick={() => setShown(!shown)}>
        {t(shown ? 'values.hide' : 'values.show')}
      </Button>
      {shown && <Values turnKey={props.turnKey} index={step.index} />}
    </div>
  );
}
