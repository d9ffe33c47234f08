import { Button } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import IconTrash from '~icons/trash'
import { NUMBER_SET_NAME_LENGTH, NUMBER_SET_ROWS } from '@megalot/contract/browser'
import type { NumberSet, NumberSetRow } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { announce } from '../../../lib/feedback/announce.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { Alert } from '../../../ui/alert.tsx'
import type { Desk } from '../desk.ts'
import { useCheckedSlip } from '../slip/checked-slip.ts'
import { readAmount, readNumber } from '../slip/cell-text.ts'
import type { NewRow } from '../slip/slip-lines.ts'
import type { SlipRow } from '../slip/slip-rows.ts'
import { useAddRows } from '../slip/use-add-lines.ts'
import { dropNumberSet, keepNumberSet, useOwnLists } from '../../own-lists/queries.ts'
import classes from './sets-sheet.module.css'

interface SetsSheetProps {
  desk: Desk
  user_id: number
  onDone: () => void
}

/** Numbers kept on the account for another day: put on the slip, or kept from it. */
export function SetsSheet({ desk, user_id, onDone }: SetsSheetProps) {
  const t = useTranslations('entry.sets')
  const { number_sets: sets } = useOwnLists(user_id)
  const dropping = useChange(dropNumberSet)
  const addRows = useAddRows(desk.store)
  const rows = useCheckedSlip(desk.slip, (state) => state.rows)
  const filled = rows.filter(({ number }) => Boolean(readNumber(number)))

  const use = ({ rows }: NumberSet): void => {
    const items = rows.reduce((sum, row) => sum + Math.max(1, Object.keys(row).length - 1), 0)
    if (addRows(rows.map(withReadable), items)) onDone()
  }
  const remove = (name: string): void => {
    void dropping.run(name).then((done) => done !== null && announce(t('removed', { name })))
  }
  return (
    <div className={classes.sheet}>
      {sets.length === 0 && <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>}
      {sets.length > 0 && (
        <ul className={classes.list}>
          {sets.map((set) => (
            <li key={set.name} className={classes.set}>
              <button type="button" className={classes.use} disabled={desk.isLocked} onClick={() => use(set)}>
                <strong>{set.name}</strong>
                <span className={classes.numbers}>
                  {set.rows
                    .slice(0, 12)
                    .map(({ number }) => number)
                    .join(' ')}
                  {set.rows.length > 12 && ' …'}
                </span>
              </button>
              <button
                type="button"
                className={classes.remove}
                aria-label={t('remove', { name: set.name })}
                onClick={() => remove(set.name)}
              >
                <IconTrash size={20} stroke={1.6} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {dropping.failure !== null && <Alert kind="bad">{dropping.failure}</Alert>}
      {filled.length > NUMBER_SET_ROWS && <Alert kind="plain">{t('too_long', { most: NUMBER_SET_ROWS })}</Alert>}
      {filled.length > 0 && filled.length <= NUMBER_SET_ROWS && <SaveSlip rows={filled} />}
    </div>
  )
}

/** A row with its number and the amounts that can be read, such as a set has. */
function withReadable({ number, ...amounts }: NumberSetRow): { number: string } & NewRow {
  const cells = Object.entries(amounts).flatMap(([column, text = '']) => {
    const baht = readAmount(text)
    return typeof baht === 'number' && baht > 0 ? [[column, text.trim()]] : []
  })
  return { number: number.trim(), ...Object.fromEntries(cells) }
}

/** Keeps the rows of the slip that have a number, with or without their amounts. */
function SaveSlip({ rows }: { rows: readonly SlipRow[] }) {
  const t = useTranslations('entry.sets')
  const [name, setName] = useState('')
  const [hasStakes, setHasStakes] = useState(true)
  const { isBusy, failure, run } = useChange(keepNumberSet)
  const save = async (): Promise<void> => {
    const kept = rows.map(({ id: _id, ...row }) => withReadable(hasStakes ? row : { number: row.number }))
    if ((await run({ name: name.trim(), rows: kept })) === null) return
    announce(t('saved', { name: name.trim() }))
    setName('')
  }
  return (
    <form
      className={classes.save}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') void save()
      }}
    >
      <TextInput
        label={t('name')}
        maxLength={NUMBER_SET_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox label={t('with_stakes')} isChecked={hasStakes} onChange={setHasStakes} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" variant="light" isBusy={isBusy} disabled={name.trim() === ''}>
        {t('save', { count: rows.length })}
      </Button>
    </form>
  )
}
