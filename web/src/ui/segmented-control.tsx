import { useId } from 'react'
import type { ReactNode } from 'react'
import classes from './segmented-control.module.css'

interface Choice<Value extends string> {
  value: Value
  label: ReactNode
  lang?: string
}

interface SegmentedControlProps<Value extends string> {
  label: string
  value: Value | null
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
  fill?: boolean
}

/** A few exclusive choices side by side: native radio buttons, so arrows, labels and screen readers just work. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  choices,
  onChange,
  fill,
}: SegmentedControlProps<Value>) {
  const name = useId()
  return (
    <fieldset className={classes.row} data-fill={fill || undefined}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={classes.choice} lang={choice.lang}>
          <input
            type="radio"
            className={classes.input}
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span className={classes.face}>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
