import { useId } from 'react'
import classes from './select-field.module.css'

interface SelectFieldProps<Value extends string> {
  label: string
  value: Value
  choices: readonly { value: Value; label: string }[]
  isDisabled?: boolean
  onChange: (value: Value) => void
}

/** A choice among a few, in the device's own list. */
export function SelectField<Value extends string>({
  label,
  value,
  choices,
  isDisabled = false,
  onChange,
}: SelectFieldProps<Value>) {
  const id = useId()
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}
