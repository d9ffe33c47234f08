import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { isRecord, readStored, writeStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'
import { NUMBER_SETS_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import type { NewRow } from '../slip/slip-lines.ts'

// Sets of numbers a member comes back to, with or without their stakes: of one user, on this device.

export interface NumberSet {
  name: string
  rows: readonly NewRow[]
}

export const MAX_SETS = 50

const setsForm: StoredForm<readonly NumberSet[]> = {
  version: 0,
  read: (stored) =>
    Array.isArray(stored)
      ? stored.filter(
          (one): one is NumberSet => isRecord(one) && typeof one['name'] === 'string' && Array.isArray(one['rows']),
        )
      : null,
}

export function listSets(user_id: number): readonly NumberSet[] {
  return readStored(setsForm, NUMBER_SETS_KEY_PREFIX + user_id) ?? []
}

function keepSets(user_id: number, sets: readonly NumberSet[]): boolean {
  return keepOnDevice(NUMBER_SETS_KEY_PREFIX + user_id, writeStored(setsForm, sets))
}

/** Keeps a set under its name, in the place of an older one of that name. False where there is no room for it. */
export function saveSet(user_id: number, set: NumberSet): boolean {
  const others = listSets(user_id).filter(({ name }) => name !== set.name)
  return others.length < MAX_SETS && keepSets(user_id, [set, ...others])
}

export function removeSet(user_id: number, name: string): void {
  keepSets(
    user_id,
    listSets(user_id).filter((set) => set.name !== name),
  )
}
