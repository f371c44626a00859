import { Check } from 'lucide-react';
import { DropdownMenu as M } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const ITEM =
  'flex min-h-7 items-center gap-2 rounded-sm px-2 py-1 text-ink outline-none select-none data-[highlighted]:bg-hover data-[disabled]:text-faint';

export function Menu(props: { trigger: ReactNode; children: ReactNode; align?: 'start' | 'center' | 'end' }) {
  return (
    <M.Root>
      <M.Trigger asChild>{props.trigger}</M.Trigger>
      <M.Portal>
        <M.Content
          align={props.align ?? 'start'}
          sideOffset={6}
          collisionPadding={8}
          className="z-40 max-h-[70vh] min-w-44 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-overlay animate-appear"
        >
          {props.children}
        </M.Content>
      </M.Portal>
    </M.Root>
  );
}

export function MenuLabel(props: { children: ReactNode }) {
  return <M.Label className="px-2 pt-1.5 pb-1 text-2xs font-medium text-faint">{props.children}</M.Label>;
}

export function MenuSeparator() {
  return <M.Separator className="-mx-1 my-1 h-px bg-line" />;
}

export interface MenuChoice<V extends string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

export function MenuChoices<V extends string>(props: {
  value: V;
  onChange: (value: V) => void;
  options: readonly MenuChoice<V>[];
}) {
  return (
    <M.RadioGroup value={props.value} onValueChange={(value) => props.onChange(value as V)}>
      {props.options.map((option) => (
        <M.RadioItem
          key={option.value}
          value={option.value}
          disabled={option.disabled ?? false}
          className={cx(ITEM, 'pl-7 relative')}
        >
          <M.ItemIndicator className="absolute left-2 text-accent">
            <Check aria-hidden size={13} strokeWidth={2.25} />
          </M.ItemIndicator>
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          {option.hint !== undefined && <span className="shrink-0 pl-4 text-xs text-faint">{option.hint}</span>}
        </M.RadioItem>
      ))}
    </M.RadioGroup>
  );
}
