import type { SlipLine } from '@megalot/rules'
import { useTranslations } from 'use-intl'
import { announce } from '../../../lib/feedback/announce.ts'
import { formatCount } from '../../../lib/format/money.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { MAX_ADDED_ROWS, appendRows, rowsOfLines } from './slip-lines.ts'
import type { NewRow } from './slip-lines.ts'
import { isEmptyRow } from './slip-rows.ts'
import { editRows } from './slip-store.ts'
import type { SlipStore } from './slip-store.ts'

/** Adds lines behind the slip and says so; false, and nothing added, where they are more than a screen can hold. */
export function useAddLines(store: SlipStore): (lines: readonly SlipLine[]) => boolean {
  const addRows = useAddRows(store)
  return (lines) => addRows(rowsOfLines(lines), lines.length)
}

/** The same for rows, which may still lack their amounts. */
export function useAddRows(store: SlipStore): (added: readonly NewRow[], items: number) => boolean {
  const t = useTranslations('entry.added')
  return (added, items) => {
    const { rows } = store.getState()
    if (rows.filter((row) => !isEmptyRow(row)).length + added.length > MAX_ADDED_ROWS) {
      showToast('bad', t('too_many', { most: formatCount(MAX_ADDED_ROWS) }))
      return false
    }
    const after = appendRows(rows, added)
    editRows(store, after)
    announce(t('said', { items, rows: after.filter((row) => !isEmptyRow(row)).length }))
    return true
  }
}
