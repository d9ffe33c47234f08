import type { ComponentProps, ReactNode } from 'react'
import classes from './button.module.css'

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  /** `filled`: the one action that matters; `light` and `default`: others; `subtle`: what may be overlooked. */
  variant?: 'filled' | 'light' | 'default' | 'subtle'
  /** `bad`: what cannot be taken back. */
  tone?: 'plain' | 'bad'
  /** `sm`: in the rows of a list; on a phone as high as the others. */
  size?: 'sm' | 'md' | 'lg'
  isWide?: boolean
  /** Shows that the action is going on; the button cannot be pressed meanwhile. */
  isBusy?: boolean
  icon?: ReactNode
  className?: string | undefined
}

/** A native button. */
export function Button({
  variant = 'filled',
  tone = 'plain',
  size = 'md',
  isWide = false,
  isBusy = false,
  icon,
  // No button sends a form by mistake.
  type = 'button',
  className = '',
  disabled = false,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={`${classes.button} ${className}`}
      data-kind={variant}
      data-tone={tone}
      data-size={size}
      data-wide={isWide || undefined}
      data-with-icon={icon !== undefined || undefined}
      data-busy={isBusy || undefined}
      aria-busy={isBusy || undefined}
      disabled={disabled || isBusy}
      {...rest}
    >
      {isBusy && <span className={classes.spinner} aria-hidden="true" />}
      {icon}
      {children}
    </button>
  )
}
