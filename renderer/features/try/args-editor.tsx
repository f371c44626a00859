import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Field } from '../../ui/input.tsx';
import type { DraftFault } from './call.logic.ts';
import { type JsonFault, placeOf } from './json-fault.logic.ts';
import { useTryText } from './strings.ts';

function Fault(props: { text: string; fault: JsonFault; onGo: () => void }) {
  const t = useTryText();
  const { line, column, excerpt, caret } = placeOf(props.text, props.fault.at);
  return (
    <>
      <span>{t('fault.at', { line, column, why: t(`json.${props.fault.why}`) })}</span>
      {excerpt.trim() !== '' && (
        <code className="mt-1 block overflow-hidden rounded-sm bg-deny-soft px-1.5 py-1 font-mono text-xs leading-4 whitespace-pre text-ink">
          <ForeignText mono text={excerpt.slice(0, caret)} />
          <mark className="bg-deny text-canvas">
            {excerpt.slice(caret, caret + 1) === '' ? ' ' : <ForeignText mono text={excerpt.slice(caret, caret + 1)} />}
          </mark>
          <ForeignText mono text={excerpt.slice(caret + 1)} />
        </code>
      )}
      <Button size="sm" className="mt-1" onClick={props.onGo}>
        {t('fault.go')}
      </Button>
    </>
  );
}

/** The arguments as JSON; a fault is told with its line and column, and can be gone to. */
export function ArgsEditor(props: {
  value: string;
  fault: DraftFault | undefined;
  /** False while nothing was asked yet: a half-typed text is no fault. */
  tell: boolean;
  onChange: (text: string) => void;
}) {
  const t = useTryText();
  const area = useRef<HTMLTextAreaElement>(null);
  const { value, fault } = props;
  function go(at: number) {
    area.current?.focus();
    area.current?.setSelectionRange(at, Math.min(at + 1, value.length));
  }
  const error =
    !props.tell || fault === undefined ? null : typeof fault === 'object' ? (
      <Fault text={value} fault={fault} onGo={() => go(fault.at)} />
    ) : (
      t(`fault.${fault}`)
    );
  return (
    <Field label={t('args')} error={error}>
      {(control) => (
        <textarea
          {...control}
          ref={area}
          name="args"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          rows={8}
          value={value}
          onChange={(event) => props.onChange(event.target.value)}
          className={cx(
            'w-full resize-y rounded-md border border-control bg-raised px-2 py-1.5 font-mono text-xs leading-4.5 text-ink',
            'aria-[invalid=true]:border-deny',
          )}
        />
      )}
    </Field>
  );
}
