import { useId } from 'react'
import { useLocale } from 'use-intl'
import { formatDay } from '../lib/format/dates.ts'
import { isDay } from '../lib/format/calendar-day.ts'
import classes from './select-field.module.css'

interface DayFieldProps {
  label: string
  name?: string
  /** `yyyy-mm-dd`, or nothing. */
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  /** The shown problem of the value, or null. */
  error?: string | null
  onChange: (day: string | undefined) => void
}

/** A native date field. The day in the screen's calendar is shown below it. */
export function DayField({ label, name, value, min, max, error = null, onChange }: DayFieldProps) {
  const id = useId()
  const language = useLocale()
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="date"
        className={classes.input}
        value={value ?? ''}
        min={min}
        max={max}
        aria-invalid={error !== null || undefined}
        aria-describedby={`${id}-said`}
        onChange={(event) => {
          const day = event.currentTarget.value
          if (day === '' || isDay(day)) onChange(day === '' ? undefined : day)
        }}
      />
      <span id={`${id}-said`} className={error === null ? classes.said : classes.wrong}>
        {error ?? (isDay(value) ? formatDay(value, language) : '')}
      </span>
    </div>
  )
}
