import { CalendarClock, Gauge } from 'lucide-react';
import { Popover as P } from 'radix-ui';
import { type FormEvent, useRef, useState } from 'react';
import type { AuditSearch } from '../../app/links.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/input.tsx';
import { Popover } from '../../ui/popover.tsx';
import { fromField, scoresOf, toField } from './range.logic.ts';
import { useAuditText } from './strings.ts';

const PRESETS = [
  ['24h', 86_400],
  ['7d', 7 * 86_400],
  ['30d', 30 * 86_400],
] as const;

type Change = (change: Partial<Record<keyof AuditSearch, unknown>>) => void;

function TimeForm(props: { from: number | undefined; to: number | undefined; onChange: Change }) {
  const t = useAuditText();
  const [from, setFrom] = useState(toField(props.from));
  const [to, setTo] = useState(toField(props.to));
  const close = useRef<HTMLButtonElement>(null);
  const [start, end] = [fromField(from), fromField(to)];
  const backwards = start !== undefined && end !== undefined && start >= end;
  const choose = (change: { from: number | undefined; to: number | undefined }) => props.onChange(change);
  return (
    <>
      <div className="flex flex-col border-b border-line p-1">
        {PRESETS.map(([name, seconds]) => (
          <P.Close key={name} asChild>
            <button
              type="button"
              className="h-7 rounded-sm px-2 text-left hover:bg-hover"
              onClick={() => choose({ from: Math.floor(Date.now() / 1000) - seconds, to: undefined })}
            >
              {t(`time.${name}`)}
            </button>
          </P.Close>
        ))}
        <P.Close asChild>
          <button
            type="button"
            className="h-7 rounded-sm px-2 text-left hover:bg-hover"
            onClick={() => choose({ from: undefined, to: undefined })}
          >
            {t('time.all')}
          </button>
        </P.Close>
      </div>
      <form
        className="flex flex-col gap-3 p-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (backwards) return;
          choose({ from: start, to: end });
          close.current?.click();
        }}
      >
        <Field label={t('time.from')}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              step={1}
              value={from}
              onChange={(event) => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('time.to')} error={backwards && t('time.order')}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              step={1}
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={backwards} className="self-end">
          {t('apply')}
        </Button>
        <P.Close ref={close} hidden />
      </form>
    </>
  );
}

/** From when to when, by name or to the second. */
export function TimeFilter(props: { search: AuditSearch; onChange: Change }) {
  const t = useAuditText();
  return (
    <Popover
      label={t('time')}
      align="start"
      width="16rem"
      trigger={
        <Button size="sm" icon={CalendarClock}>
          {t('time')}
        </Button>
      }
    >
      <TimeForm from={props.search.from} to={props.search.to} onChange={props.onChange} />
    </Popover>
  );
}

function ScoreForm(props: { min: number | undefined; max: number | undefined; onChange: Change }) {
  const t = useAuditText();
  const [from, setFrom] = useState(props.min === undefined ? '' : String(props.min));
  const [to, setTo] = useState(props.max === undefined ? '' : String(props.max));
  const close = useRef<HTMLButtonElement>(null);
  const scores = scoresOf(from, to);
  return (
    <form
      className="flex flex-col gap-3 p-3"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (scores === null) return;
        props.onChange(scores);
        close.current?.click();
      }}
    >
      <div className="grid grid-cols-2 gap-2">
        <Field label={t('score.from')}>
          {(control) => (
            <Input {...control} inputMode="decimal" value={from} onChange={(event) => setFrom(event.target.value)} />
          )}
        </Field>
        <Field label={t('score.to')}>
          {(control) => (
            <Input {...control} inputMode="decimal" value={to} onChange={(event) => setTo(event.target.value)} />
          )}
        </Field>
      </div>
      {scores === null && (
        <p role="alert" className="text-xs text-deny">
          {t('score.wrong')}
        </p>
      )}
      <p className="text-xs text-faint">{t('score.help')}</p>
      <div className="flex justify-end gap-2">
        <P.Close asChild>
          <Button onClick={() => props.onChange({ min: undefined, max: undefined })}>{t('score.clear')}</Button>
        </P.Close>
        <Button type="submit" look="primary" disabled={scores === null}>
          {t('apply')}
        </Button>
        <P.Close ref={close} hidden />
      </div>
    </form>
  );
}

/** Verdicts whose score lies in a range. */
export function ScoreFilter(props: { search: AuditSearch; onChange: Change }) {
  const t = useAuditText();
  return (
    <Popover
      label={t('score')}
      align="start"
      width="18rem"
      trigger={
        <Button size="sm" icon={Gauge}>
          {t('score')}
        </Button>
      }
    >
      <ScoreForm min={props.search.min} max={props.search.max} onChange={props.onChange} />
    </Popover>
  );
}
