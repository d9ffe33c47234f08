import type { ReactNode } from 'react'
import classes from './checkbox.module.css'

interface CheckboxProps {
  label: ReactNode
  name?: string
  isChecked: boolean
  isDisabled?: boolean
  onChange: (isChecked: boolean) => void
}

/** A tick box with its words, a thumb high. */
export function Checkbox({ label, name, isChecked, isDisabled = false, onChange }: CheckboxProps) {
  return (
    <label className={classes.line} data-disabled={isDisabled || undefined}>
      <input
        type="checkbox"
        name={name}
        className={classes.box}
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
