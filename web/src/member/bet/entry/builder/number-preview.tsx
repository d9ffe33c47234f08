import { betTypeOfColumn } from '@megalot/rules'
import type { StakeColumn } from '@megalot/rules'
import { memo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { NumberMark } from '../../board/number-mark.tsx'
import { worstState } from '../../board/number-states.ts'
import type { NumberStates } from '../../desk.ts'
import classes from './builder.module.css'

/** So many numbers are shown at once; the others on request. */
const SHOWN_COUNT = 60

interface NumberPreviewProps {
  numbers: readonly string[]
  columns: readonly StakeColumn[]
  digits: number
  states: NumberStates
}

/** How many numbers an entry makes, and which: seen before anything is added. */
export const NumberPreview = memo(function NumberPreview({ numbers, columns, digits, states }: NumberPreviewProps) {
  const t = useTranslations('entry.preview')
  const [isAll, setIsAll] = useState(false)
  const bet_types = columns.flatMap((column) => betTypeOfColumn(digits, column) ?? [])
  const shown = isAll ? numbers : numbers.slice(0, SHOWN_COUNT)
  return (
    <section className={classes.preview} aria-label={t('label')}>
      <output className={classes.count} data-testid="entry-count">
        {t('count', { count: numbers.length })}
      </output>
      {numbers.length > 0 && (
        <ul className={classes.numbers}>
          {shown.map((number) => {
            const state = worstState(states, bet_types, number)
            return (
              <li key={number} className={classes.number} data-state={state ?? undefined}>
                {number}
                <NumberMark state={state} hasWord={state === 'half'} />
              </li>
            )
          })}
          {numbers.length > SHOWN_COUNT && (
            <li>
              <button type="button" className={classes.more} onClick={() => setIsAll(!isAll)}>
                {isAll ? t('fewer') : t('more', { count: numbers.length - SHOWN_COUNT })}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  )
})
