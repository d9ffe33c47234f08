import { Button } from '../../../../ui/button.tsx'
import { betTypeOfColumn, findDoors, getEntryMode, makeEntryLines, readImportText } from '@megalot/rules'
import type { BetTypeCode, ColumnStakes, ImportErrorCode, SlipLine, StakeColumn } from '@megalot/rules'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../../lib/feedback/toast.ts'
import { formatBaht } from '../../../../lib/format/money.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import type { Desk } from '../../desk.ts'
import { columnsOfMarket } from '../../slip/slip-columns.ts'
import { readStakes, reverseNumber } from '../../slip/slip-lines.ts'
import { useAddLines } from '../../slip/use-add-lines.ts'
import { AmountFields, focusNextAmount } from '../amount-fields.tsx'
import type { StakeTexts } from '../amount-fields.tsx'
import { isNumberText } from '../entry.ts'
import { TextField } from '../text-field.tsx'
import classes from './many-entry.module.css'

type Problem = 'not_digits' | 'no_number' | 'too_long' | 'bad_doors' | 'no_stake' | 'bad_amount'

/** Above the grid: many numbers with the same stakes, or the doors of a number. */
export function ManyEntry({ desk }: { desk: Desk }) {
  const t = useTranslations('entry')
  const reasons = useTranslations('bet.grid.paste.reason')
  const [text, setText] = useState('')
  const [isDoors, setIsDoors] = useState(false)
  const [isReversed, setIsReversed] = useState(false)
  const [stakes, setStakes] = useState<StakeTexts>({})
  const addLines = useAddLines(desk.store)
  const numbers = [...new Set(text.match(/[0-9]+/g) ?? [])]
  const amounts = readStakes<StakeColumn>(stakes)
  // A line with its own amounts, as 12=50*20. The boxes below are for numbers alone.
  const isLine = !isNumberText(text) && !isDoors && !isReversed
  const line = isLine ? readLine(text, desk.offered) : null
  const problem = isNumberText(text) ? problemOf(numbers, isDoors, amounts) : isLine ? null : 'not_digits'
  const lines =
    line?.lines ??
    (problem !== null || amounts === null
      ? []
      : isDoors
        ? doorLines(numbers, amounts)
        : plainLines(numbers, isReversed, amounts))
  const taken = lines.filter(({ bet_type }) => desk.offered.includes(bet_type))

  const add = (): void => {
    if (problem !== null || (line !== null && line.code !== null)) {
      showToast('bad', problem === null ? reasons(line!.code!) : t(`problem.${problem}`))
      return
    }
    if (taken.length < lines.length) showToast('bad', t('many.skipped', { count: lines.length - taken.length }))
    if (taken.length > 0 && addLines(taken)) setText('')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const isField = event.target instanceof HTMLInputElement && event.target.closest('dialog') === null
    if (event.key !== 'Enter' || event.ctrlKey || event.nativeEvent.isComposing || !isField) return
    event.preventDefault()
    if (isLine || !focusNextAmount(event.currentTarget, event.target as HTMLInputElement)) add()
  }
  return (
    // Enter is caught for all fields at once; the form itself takes no keys.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.form} onKeyDown={onKeyDown}>
      <TextField label={t('many.numbers')} text={text} onChange={setText} />
      <div className={classes.switches}>
        <Checkbox label={t('many.doors')} isChecked={isDoors} onChange={setIsDoors} />
        <Checkbox
          label={t('builder.reverse')}
          isChecked={isReversed && !isDoors}
          isDisabled={isDoors}
          onChange={setIsReversed}
        />
      </div>
      <AmountFields
        columns={columnsOfMarket(desk.offered)}
        stakes={stakes}
        onChange={setStakes}
        isLocked={desk.isLocked}
      />
      <Button variant="light" disabled={desk.isLocked} data-testid="add-many" onClick={add}>
        {taken.length === 0
          ? t('many.add')
          : t('builder.add', {
              items: taken.length,
              total: formatBaht(taken.reduce((sum, { bet_satang }) => sum + bet_satang, 0)),
            })}
      </Button>
    </div>
  )
}

/** A line of the entry language, or why it is refused. */
function readLine(
  text: string,
  offered: readonly BetTypeCode[],
): { lines: readonly SlipLine[]; code: ImportErrorCode | 'letters' | null } {
  const { items, errors, dropped } = readImportText(text, { offered })
  return { lines: items, code: dropped.length > 0 ? 'letters' : (errors[0]?.code ?? null) }
}

function problemOf(numbers: readonly string[], isDoors: boolean, amounts: ColumnStakes | null): Problem | null {
  if (numbers.length === 0) return 'no_number'
  if (isDoors && numbers.some((number) => findDoors(number) === null)) return 'bad_doors'
  if (numbers.some((number) => number.length > 3)) return 'too_long'
  if (amounts === null) return 'bad_amount'
  return Object.values(amounts).some((satang) => satang > 0) ? null : 'no_stake'
}

function doorLines(numbers: readonly string[], amounts: ColumnStakes): readonly SlipLine[] {
  return numbers.flatMap((number) => makeEntryLines(getEntryMode(findDoors(number)!), number, {}, amounts))
}

/** Every number in every column that has a bet type for so many digits; a roll is not staked again for the reversed one. */
function plainLines(numbers: readonly string[], isReversed: boolean, amounts: ColumnStakes): readonly SlipLine[] {
  return numbers.flatMap((number) => {
    const reversed = isReversed ? reverseNumber(number) : null
    return (Object.entries(amounts) as [StakeColumn, number][]).flatMap(([column, bet_satang]) => {
      const bet_type: BetTypeCode | null = betTypeOfColumn(number.length, column)
      if (bet_type === null || bet_satang === 0) return []
      const all = reversed === null || column === 'roll' ? [number] : [number, reversed]
      return all.map((one) => ({ bet_type, number: one, bet_satang }))
    })
  })
}
