import type { StakeColumn } from '@megalot/rules'
import { useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { readAmount, writeCell } from '../slip/cell-text.ts'
import classes from './amount-fields.module.css'
import { QuickStakes } from './quick-stakes.tsx'

export type StakeTexts = Readonly<Partial<Record<StakeColumn, string>>>

interface AmountFieldsProps {
  columns: readonly StakeColumn[]
  stakes: StakeTexts
  onChange: (stakes: StakeTexts) => void
  isLocked: boolean
}

/**
 * Moves on by Enter: from the numbers to the first amount, and from there to the next; false at the last one.
 * @param root holds the fields
 */
export function focusNextAmount(root: HTMLElement | null, from: HTMLInputElement): boolean {
  const amounts = [...(root?.querySelectorAll<HTMLInputElement>('[data-testid^=amount-]') ?? [])]
  const next = amounts[amounts.indexOf(from) + 1]
  next?.focus()
  next?.select()
  return next !== undefined
}

/** One amount for each place where the numbers may come out, and the usual amounts at one tap. */
export function AmountFields({ columns, stakes, onChange, isLocked }: AmountFieldsProps) {
  const t = useTranslations('entry.amount')
  const grid = useTranslations('bet.grid.column')
  const lastColumn = useRef<StakeColumn | null>(null)
  const id = useId()
  const stake = (baht: number): void => {
    const column = columns.find((one) => one === lastColumn.current) ?? columns[0]
    if (column !== undefined) onChange({ ...stakes, [column]: String(baht) })
  }
  return (
    <div className={classes.amounts}>
      <div className={classes.fields}>
        {columns.map((column) => {
          const text = stakes[column] ?? ''
          const isBad = typeof readAmount(text) === 'string'
          return (
            <div key={column} className={classes.field}>
              <label htmlFor={`${id}-${column}`}>{t('of', { column: grid(column) })}</label>
              <input
                id={`${id}-${column}`}
                className={classes.input}
                data-testid={`amount-${column}`}
                inputMode="numeric"
                enterKeyHint="next"
                autoComplete="off"
                value={text}
                disabled={isLocked}
                aria-invalid={isBad || undefined}
                onFocus={() => {
                  lastColumn.current = column
                }}
                onChange={(event) => onChange({ ...stakes, [column]: writeCell(event.currentTarget.value) })}
              />
            </div>
          )
        })}
      </div>
      <QuickStakes onStake={stake} isLocked={isLocked} />
    </div>
  )
}
