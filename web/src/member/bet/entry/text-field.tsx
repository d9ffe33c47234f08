import { useId } from 'react'
import { writeCell } from '../slip/cell-text.ts'
import fields from './amount-fields.module.css'
import classes from './text-field.module.css'

interface TextFieldProps {
  label: string
  text: string
  problem?: string | null
  maxLength?: number
  onChange: (text: string) => void
}

/** A field for numbers, that takes Thai digits as well. */
export function TextField({ label, text, problem = null, maxLength = 4_000, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={`${fields.input} ${classes.text}`}
        data-first-field=""
        data-testid="entry-text"
        inputMode="numeric"
        enterKeyHint="next"
        autoComplete="off"
        maxLength={maxLength}
        value={text}
        aria-invalid={problem !== null || undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => onChange(writeCell(event.currentTarget.value))}
      />
      <output id={`${id}-problem`} className={classes.problem}>
        {problem}
      </output>
    </div>
  )
}
