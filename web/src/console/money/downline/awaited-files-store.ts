import { create } from 'zustand'
import { AWAITED_FILES_KEY } from '../../../lib/device/page-storage-keys.ts'
import { readStored, writeStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'

const form: StoredForm<readonly number[]> = {
  version: 0,
  read: (stored) => (Array.isArray(stored) ? stored.filter((id): id is number => Number.isSafeInteger(id)) : null),
}

/**
 * Files that were not ready at once: the page says how far they are, and when they are ready. The tab keeps them, so that a
 * page that is loaded anew still says so.
 */
export const useAwaitedFiles = create<{ file_ids: readonly number[] }>()(() => ({
  file_ids: readStored(form, AWAITED_FILES_KEY, () => sessionStorage) ?? [],
}))

useAwaitedFiles.subscribe(({ file_ids }) => {
  try {
    sessionStorage.setItem(AWAITED_FILES_KEY, writeStored(form, file_ids))
  } catch {
    // Without storage in the tab they are known until the page reloads.
  }
})

export function awaitFile(file_id: number): void {
  useAwaitedFiles.setState(({ file_ids }) => ({ file_ids: [...file_ids, file_id] }))
}

export function dropAwaitedFile(file_id: number): void {
  useAwaitedFiles.setState(({ file_ids }) => ({ file_ids: file_ids.filter((one) => one !== file_id) }))
}
