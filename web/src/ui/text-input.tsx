import IconEye from '~icons/eye'
import IconEyeOff from '~icons/eye-off'
import { useId, useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import classes from './text-input.module.css'

interface FieldProps {
  /** A field without one has an `aria-label`. */
  label?: string | undefined
  description?: string | undefined
  /** The shown problem of the value, or null. */
  error?: string | null | undefined
}

export type TextInputProps = FieldProps &
  Omit<ComponentProps<'input'>, 'id' | 'children'> & {
    /** Shown inside the field, before its text. */
    icon?: ReactNode
    inputClassName?: string | undefined
    /** Places the field beside other content, between the description and the problem. */
    inputContainer?: (input: ReactNode) => ReactNode
  }

type FieldShellProps = FieldProps & {
  id: string
  className?: string | undefined
  children: ReactNode
}

function FieldShell({ id, label, description, error = null, className, children }: FieldShellProps) {
  return (
    <div className={className}>
      {label !== undefined && (
        <label className={classes.label} htmlFor={id}>
          {label}
        </label>
      )}
      {description !== undefined && (
        <p className={classes.description} id={`${id}-description`}>
          {description}
        </p>
      )}
      {children}
      {error !== null && (
        <p className={classes.error} id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

function ariaOf(id: string, { description, error = null }: FieldProps) {
  const ids = [description !== undefined && `${id}-description`, error !== null && `${id}-error`].filter(Boolean)
  return { 'aria-invalid': error !== null || undefined, 'aria-describedby': ids.join(' ') || undefined }
}

/** A native text field with label, description and problem. */
export function TextInput(props: TextInputProps) {
  const { label, description, error, className, inputClassName = '', icon, inputContainer, ...rest } = props
  const id = useId()
  const field = (
    <input type="text" {...rest} id={id} className={`${classes.input} ${inputClassName}`} {...ariaOf(id, props)} />
  )
  const withIcon =
    icon === undefined ? (
      field
    ) : (
      <div className={classes.withIcon}>
        <span className={classes.icon}>{icon}</span>
        {field}
      </div>
    )
  return (
    <FieldShell id={id} className={className} label={label} description={description} error={error}>
      {inputContainer === undefined ? withIcon : inputContainer(withIcon)}
    </FieldShell>
  )
}

export type TextareaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'children'>

/** A native field of several lines. */
export function Textarea(props: TextareaProps) {
  const { label, description, error, className, ...rest } = props
  const id = useId()
  return (
    <FieldShell id={id} className={className} label={label} description={description} error={error}>
      <textarea {...rest} id={id} className={`${classes.input} ${classes.lines}`} {...ariaOf(id, props)} />
    </FieldShell>
  )
}

/** A password field with a button that shows the password. */
export function PasswordInput({ toggleLabel, ...rest }: TextInputProps & { toggleLabel: string }) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? IconEyeOff : IconEye
  return (
    <TextInput
      {...rest}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      // oxlint-disable-next-line react/no-unstable-nested-components -- a render prop, not a component
      inputContainer={(input) => (
        <div className={classes.secret}>
          {input}
          <button
            type="button"
            className={classes.toggle}
            aria-label={toggleLabel}
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
          >
            <Icon size={22} stroke={1.6} aria-hidden="true" />
          </button>
        </div>
      )}
    />
  )
}
