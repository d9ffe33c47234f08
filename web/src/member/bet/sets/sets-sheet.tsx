import { Button } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import IconTrash from '~icons/trash'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../../../lib/feedback/announce.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { Alert } from '../../../ui/alert.tsx'
import type { Desk } from '../desk.ts'
import { useCheckedSlip } from '../slip/checked-slip.ts'
import { isEmptyRow } from '../slip/slip-rows.ts'
import { useAddRows } from '../slip/use-add-lines.ts'
import { listSets, removeSet, saveSet } from './number-sets.ts'
import type { NumberSet } from './number-sets.ts'
import classes from './sets-sheet.module.css'

const NAME_LENGTH = 40

interface SetsSheetProps {
  desk: Desk
  user_id: number
  onDone: () => void
}

/** Numbers kept for another day: put on the slip, or kept from it. */
export function SetsSheet({ desk, user_id, onDone }: SetsSheetProps) {
  const t = useTranslations('entry.sets')
  const [sets, setSets] = useState(() => listSets(user_id))
  const addRows = useAddRows(desk.store)
  const rows = useCheckedSlip(desk.slip, (state) => state.rows)
  const filled = rows.filter((row) => !isEmptyRow(row))

  const use = ({ rows }: NumberSet): void => {
    const items = rows.reduce((sum, row) => sum + Math.max(1, Object.keys(row).length - 1), 0)
    if (addRows(rows, items)) onDone()
  }
  const remove = (name: string): void => {
    removeSet(user_id, name)
    setSets(listSets(user_id))
    announce(t('removed', { name }))
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
      {filled.length > 0 && (
        <SaveSlip
          count={filled.length}
          onSave={(name, hasStakes) => {
            const rows = filled.map(({ id: _id, ...row }) => (hasStakes ? withoutBlanks(row) : { number: row.number }))
            const isSaved = saveSet(user_id, { name, rows })
            setSets(listSets(user_id))
            if (isSaved) announce(t('saved', { name }))
            return isSaved
          }}
        />
      )}
    </div>
  )
}

function withoutBlanks(row: Readonly<Record<string, string>>): NumberSet['rows'][number] {
  return Object.fromEntries(Object.entries(row).filter(([, text]) => text !== ''))
}

interface SaveSlipProps {
  count: number
  onSave: (name: string, hasStakes: boolean) => boolean
}

function SaveSlip({ count, onSave }: SaveSlipProps) {
  const t = useTranslations('entry.sets')
  const [name, setName] = useState('')
  const [hasStakes, setHasStakes] = useState(true)
  const [isFull, setIsFull] = useState(false)
  const save = (): void => {
    const trimmed = name.trim()
    if (trimmed === '') return
    const isSaved = onSave(trimmed, hasStakes)
    setIsFull(!isSaved)
    if (isSaved) setName('')
  }
  return (
    <form
      className={classes.save}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextInput
        label={t('name')}
        maxLength={NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox label={t('with_stakes')} isChecked={hasStakes} onChange={setHasStakes} />
      {isFull && <Alert kind="bad">{t('no_room')}</Alert>}
      <Button type="submit" variant="light" disabled={name.trim() === ''}>
        {t('save', { count })}
      </Button>
    </form>
  )
}
