import { create } from 'zustand'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { NEWS_READ_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { readStored, readTexts, writeStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'

// News that a member has read or dismissed on this device, by names such as `deleted 17`.

const MAX_READ = 100

const namesForm: StoredForm<readonly string[]> = { version: 0, read: readTexts }

const useStore = create<{ user_id: number; names: readonly string[] }>()(() => ({ user_id: 0, names: [] }))

function namesOf(user_id: number): readonly string[] {
  const known = useStore.getState()
  if (known.user_id === user_id) return known.names
  return readStored(namesForm, NEWS_READ_KEY_PREFIX + user_id) ?? []
}

/** The names of the news that a user has read on this device. */
export function useReadNews(user_id: number): ReadonlySet<string> {
  const known = useStore()
  return new Set(known.user_id === user_id ? known.names : namesOf(user_id))
}

/** Notes that something was read; the oldest names are dropped. */
export function noteRead(user_id: number, read: readonly string[]): void {
  const names = [...new Set([...read, ...namesOf(user_id)])].slice(0, MAX_READ)
  useStore.setState({ user_id, names })
  keepOnDevice(NEWS_READ_KEY_PREFIX + user_id, writeStored(namesForm, names))
}
