import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

const LOOK = {
  default: 'border-control/50 bg-raised text-ink hover:bg-hover',
  primary: 'border-accent bg-accent text-on-accent hover:bg-accent-strong hover:border-accent-strong',
  danger: 'border-deny bg-deny text-on-accent hover:bg-deny-strong hover:border-deny-strong',
  quiet: 'border-transparent text-soft hover:bg-hover hover:text-ink',
} as const;

const BASE =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none transition-colors duration-100 disabled:opacity-50 disabled:pointer-events-none';

type ButtonProps = ComponentProps<'button'> & {
  look?: keyof typeof LOOK;
  size?: 'sm' | 'md';
  icon?: LucideIcon | undefined;
};

export function Button({ look = 'default', size = 'md', icon: Icon, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(BASE, LOOK[look], size === 'sm' ? 'h-6 px-2 text-xs' : 'h-7 px-2.5', className)}
    >
      {Icon && <Icon aria-hidden size={size === 'sm' ? 13 : 14} strokeWidth={1.75} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Read aloud and shown as a tooltip. */
  label: string;
  icon: LucideIcon;
  size?: 'sm' | 'md';
};

export function IconButton({ label, icon: Icon, size = 'md', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cx(BASE, LOOK.quiet, size === 'sm' ? 'size-6' : 'size-7', className)}
      >
        <Icon aria-hidden size={size === 'sm' ? 14 : 15} strokeWidth={1.75} />
      </button>
    </Tooltip>
  );
}
