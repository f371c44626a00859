import { Check, ChevronDown } from 'lucide-react';
import { Select as S } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import type { FieldControl } from './input.tsx';

export interface SelectOption<V extends string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

/** One of many. `label` names it where no Field does; pass a Field's control as `control`. */
export function Select<V extends string>(props: {
  value: V | null;
  onChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  placeholder?: string;
  label?: string;
  control?: FieldControl;
  disabled?: boolean;
  className?: string;
}) {
  return (
    <S.Root
      value={props.value ?? ''}
      onValueChange={(value) => props.onChange(value as V)}
      disabled={props.disabled ?? false}
    >
      <S.Trigger
        {...props.control}
        aria-label={props.label}
        className={cx(
          'inline-flex h-7 items-center justify-between gap-2 rounded-md border border-control/60 bg-raised pr-1.5 pl-2 text-left select-none hover:bg-hover disabled:opacity-50 data-[placeholder]:text-faint aria-[invalid=true]:border-deny',
          props.className,
        )}
      >
        <span className="min-w-0 truncate">
          <S.Value placeholder={props.placeholder} />
        </span>
        <S.Icon>
          <ChevronDown aria-hidden size={13} className="text-faint" />
        </S.Icon>
      </S.Trigger>
      <S.Portal>
        <S.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-96 overflow-hidden rounded-lg border border-line bg-raised shadow-overlay animate-appear"
        >
          <S.Viewport className="p-1">
            {props.options.map((option) => (
              <S.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className="relative flex min-h-7 items-center gap-3 rounded-sm py-1 pr-2 pl-7 outline-none select-none data-[highlighted]:bg-hover data-[disabled]:text-faint"
              >
                <S.ItemIndicator className="absolute left-2 text-accent">
                  <Check aria-hidden size={13} strokeWidth={2.25} />
                </S.ItemIndicator>
                <span className="min-w-0 flex-1">
                  <S.ItemText>{option.label}</S.ItemText>
                </span>
                {option.hint !== undefined && <span className="shrink-0 text-xs text-faint">{option.hint}</span>}
              </S.Item>
            ))}
          </S.Viewport>
        </S.Content>
      </S.Portal>
    </S.Root>
  );
}
