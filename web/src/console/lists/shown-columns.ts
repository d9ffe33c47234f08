// The columns that were chosen last for a list, on this device.

import { keepOnDevice } from '../../lib/device/device-storage.ts'
import { GRID_KEY_PREFIX } from '../../lib/device/page-storage-keys.ts'
import { isRecord, readStored, readTexts, writeStored } from '../../lib/device/stored-value.ts'
import type { StoredForm } from '../../lib/device/stored-value.ts'

interface ShownColumns {
  /** Null: none were ever chosen. */
  columns: readonly string[] | null
}

/** Columns out of whatever is stored: what makes no sense is left out. */
export const shownColumnsForm: StoredForm<ShownColumns> = {
  version: 1,
  read: (stored) =>
    isRecord(stored) ? { columns: Array.isArray(stored['columns']) ? readTexts(stored['columns']) : null } : null,
}

export function loadShownColumns(list: string): readonly string[] | null {
  return readStored(shownColumnsForm, GRID_KEY_PREFIX + list)?.columns ?? null
}

export function saveShownColumns(list: string, columns: readonly string[]): void {
  keepOnDevice(GRID_KEY_PREFIX + list, writeStored(shownColumnsForm, { columns }))
}
