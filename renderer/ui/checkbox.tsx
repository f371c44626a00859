import { Check, Minus } from 'lucide-react';
import { Checkbox as C } from 'radix-ui';
import type { MouseEvent, ReactNode } from 'react';
import { cx } from './cx.ts';

/** `label` is visible; `name` is for a box that stands alone, such as one in a table. */
export function Checkbox(props: {
  checked: boolean | 'mixed';
  onChange: (on: boolean) => void;
  label?: ReactNode;
  name?: string;
  disabled?: boolean;
  onClick?: (event: MouseEvent) => void;
}) {
  const box = (
    <C.Root
      checked={props.checked === 'mixed' ? 'indeterminate' : props.checked}
      onCheckedChange={(state) => props.onChange(state === true)}
      onClick={props.onClick}
      disabled={props.disabled ?? false}
      aria-label={props.label === undefined ? props.name : undefined}
      className={cx(
        'inline-flex size-3.5 shrink-0 items-center justify-center rounded-[3px] border border-control bg-raised',
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent',
        'disabled:opacity-50',
      )}
    >
      <C.Indicator className="text-on-accent">
        {props.checked === 'mixed' ? <Minus size={11} strokeWidth={3} /> : <Check size={11} strokeWidth={3} />}
      </C.Indicator>
    </C.Root>
  );
  if (props.label === undefined) return box;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is Radix's button inside
    <label className="inline-flex items-start gap-2 select-none [&>button]:mt-[3px]">
      {box}
      <span>{props.label}</span>
    </label>
  );
}
