import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { cx } from './cx.ts';

export interface Segment<V extends string> {
  value: V;
  label: ReactNode;
  /** Read aloud when the label is a picture or a short form. */
  name?: string;
  disabled?: boolean;
}

/**
 * A few exclusive choices side by side (a radio group). With `manual` the arrow keys move the focus
 * only, and Space or Enter chooses: for choices that must not be made in passing.
 */
export function Segmented<V extends string>(props: {
  label: string;
  value: V | null;
  options: readonly Segment<V>[];
  onChange: (value: V) => void;
  manual?: boolean;
  disabled?: boolean;
  size?: 'sm' | 'md';
}) {
  const group = useRef<HTMLDivElement>(null);
  const chosen = props.options.findIndex((each) => each.value === props.value);

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>, index: number) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (index + step + props.options.length) % props.options.length;
    group.current?.querySelectorAll('button')[next]?.focus();
    const option = props.options[next];
    if (option && !props.manual && !option.disabled) props.onChange(option.value);
  }

  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={props.label}
      aria-disabled={props.disabled}
      className="inline-flex shrink-0 rounded-md border border-line bg-hover p-px"
    >
      {props.options.map((option, index) => {
        const checked = index === chosen;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a native radio chooses on arrow keys, which `manual` must not
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={checked}
            aria-label={option.name}
            data-value={option.value}
            tabIndex={checked || (chosen < 0 && index === 0) ? 0 : -1}
            disabled={props.disabled || option.disabled}
            onClick={() => props.onChange(option.value)}
            onKeyDown={(event) => onKeyDown(event, index)}
            className={cx(
              'inline-flex items-center justify-center gap-1.5 rounded-[5px] border px-2.5 whitespace-nowrap select-none',
              props.size === 'sm' ? 'h-5.5 text-xs' : 'h-6.5',
              checked
                ? 'border-line bg-raised font-medium text-ink'
                : 'border-transparent text-soft hover:text-ink disabled:hover:text-soft',
              'disabled:opacity-60',
            )}
          >
            {option.label}
          </button>
        );
      })}
    </div>
  );
}
