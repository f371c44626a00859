import { Switch as S } from 'radix-ui';
import type { ReactNode } from 'react';

export function Switch(props: {
  checked: boolean;
  onChange: (on: boolean) => void;
  label: ReactNode;
  disabled?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is Radix's button inside
    <label className="inline-flex items-center gap-2 text-soft select-none">
      <S.Root
        checked={props.checked}
        onCheckedChange={props.onChange}
        disabled={props.disabled ?? false}
        className="inline-flex h-4 w-7 shrink-0 items-center rounded-full border border-control bg-hover px-px transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50"
      >
        <S.Thumb className="block size-3 rounded-full bg-control transition-transform data-[state=checked]:translate-x-3 data-[state=checked]:bg-on-accent" />
      </S.Root>
      {props.label}
    </label>
  );
}
