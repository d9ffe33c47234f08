import { stakeColumns } from '@megalot/rules'
import type { StakeColumn } from '@megalot/rules'
import { keepOnDevice } from '../../../../lib/device/device-storage.ts'
import { KEYPAD_COLUMNS_KEY } from '../../../../lib/device/page-storage-keys.ts'
import { readStored, readTexts, writeStored } from '../../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../../lib/device/stored-value.ts'

/** A second column doubles the price of every number, so a member chooses it. */
export const FIRST_COLUMNS: readonly StakeColumn[] = ['top']

const columnsForm: StoredForm<readonly StakeColumn[]> = {
  version: 0,
  read: (stored) => {
    const texts = readTexts(stored)
    return stakeColumns.filter((column) => texts.includes(column))
  },
}

/** The columns that the keypad of this device bets on. */
export function readKeypadColumns(): readonly StakeColumn[] {
  return readStored(columnsForm, KEYPAD_COLUMNS_KEY) ?? FIRST_COLUMNS
}

/** Roll and front are chosen for one slip: the keypad of the next market must not bet on them unasked. */
export function keepKeypadColumns(columns: readonly StakeColumn[]): void {
  const lasting = columns.filter((column) => column === 'top' || column === 'bottom')
  const kept = lasting.length === 0 && columns.length > 0 ? FIRST_COLUMNS : lasting
  keepOnDevice(KEYPAD_COLUMNS_KEY, writeStored(columnsForm, kept))
}
