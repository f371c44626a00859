import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

const BOX =
  'h-7 w-full rounded-md border border-control bg-raised text-ink placeholder:text-faint disabled:opacity-50 aria-[invalid=true]:border-deny';

export function Input({
  icon: Icon,
  mono,
  className,
  ...rest
}: ComponentProps<'input'> & { icon?: LucideIcon; mono?: boolean }) {
  const input = (
    <input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      className={cx(BOX, Icon ? 'pr-2 pl-7' : 'px-2', mono && 'font-mono text-xs', !Icon && className)}
    />
  );
  if (!Icon) return input;
  return (
    <span className={cx('relative inline-flex', className)}>
      <Icon
        aria-hidden
        size={13}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-faint"
      />
      {input}
    </span>
  );
}

export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** Label, control, help and error of one field; the control gets the ids that tie them together. */
export function Field(props: {
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const hasError = props.error !== undefined && props.error !== null && props.error !== false;
  const described = [props.help !== undefined && `${id}-help`, hasError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-soft">
        {props.label}
      </label>
      {props.children({ id, 'aria-describedby': described || undefined, 'aria-invalid': hasError || undefined })}
      {hasError && (
        <p id={`${id}-error`} role="alert" className="text-xs text-deny">
          {props.error}
        </p>
      )}
      {props.help !== undefined && (
        <p id={`${id}-help`} className="text-xs text-faint">
          {props.help}
        </p>
      )}
    </div>
  );
}
