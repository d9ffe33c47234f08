// What a device keeps of each list: the columns that were chosen last, and saved views.

import { keepOnDevice, readFromDevice } from '../lib/device/device-storage.ts'
import { GRID_KEY_PREFIX } from '../lib/device/storage-keys.ts'
import type { GridView } from '../ui/grid-column.ts'

export interface GridSettings {
  /** Null: none were ever chosen. */
  columns: readonly string[] | null
  views: readonly GridView[]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function readView(value: unknown): GridView[] {
  if (!isRecord(value) || !isText(value['name']) || !isRecord(value['search'])) return []
  const search = Object.fromEntries(
    Object.entries(value['search']).filter((entry): entry is [string, string] => isText(entry[1])),
  )
  return [{ name: value['name'], search }]
}

/** Settings out of whatever is stored: what cannot be read is left out. */
export function readGridSettings(stored: unknown): GridSettings {
  if (!isRecord(stored)) return { columns: null, views: [] }
  const { columns, views } = stored
  return {
    columns: Array.isArray(columns) ? columns.filter(isText) : null,
    views: Array.isArray(views) ? views.flatMap(readView) : [],
  }
}

export function loadGridSettings(list: string): GridSettings {
  return readGridSettings(readFromDevice(GRID_KEY_PREFIX + list))
}

export function saveGridSettings(list: string, settings: GridSettings): void {
  keepOnDevice(GRID_KEY_PREFIX + list, JSON.stringify(settings))
}
