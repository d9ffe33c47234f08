// A list's settings on this device: the last chosen columns, and saved views.

import { keepOnDevice } from '../../lib/device/device-storage.ts'
import { GRID_KEY_PREFIX } from '../../lib/device/page-storage-keys.ts'
import { isRecord, readStored, readTexts, writeStored } from '../../lib/device/stored-value.ts'
import type { StoredForm } from '../../lib/device/stored-value.ts'
import type { GridView } from '../../ui/grid/grid-column.ts'

export interface GridSettings {
  /** Null: none were ever chosen. */
  columns: readonly string[] | null
  views: readonly GridView[]
}

function readView(value: unknown): GridView[] {
  if (!isRecord(value) || typeof value['name'] !== 'string' || !isRecord(value['search'])) return []
  const texts = Object.entries(value['search']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return [{ name: value['name'], search: Object.fromEntries(texts) }]
}

/** Settings out of whatever is stored: what makes no sense is left out. */
export const gridSettingsForm: StoredForm<GridSettings> = {
  version: 1,
  read: (stored) => {
    if (!isRecord(stored)) return null
    const { columns, views } = stored
    return {
      columns: Array.isArray(columns) ? readTexts(columns) : null,
      views: Array.isArray(views) ? views.flatMap(readView) : [],
    }
  },
}

export function loadGridSettings(list: string): GridSettings {
  return readStored(gridSettingsForm, GRID_KEY_PREFIX + list) ?? { columns: null, views: [] }
}

export function saveGridSettings(list: string, settings: GridSettings): void {
  keepOnDevice(GRID_KEY_PREFIX + list, writeStored(gridSettingsForm, settings))
}
