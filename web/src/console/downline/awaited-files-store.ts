import { create } from 'zustand'

/** Files that were not ready at once: the page says how far they are, and when they are ready. */
export const useAwaitedFiles = create<{ file_ids: readonly number[] }>()(() => ({ file_ids: [] }))

export function awaitFile(file_id: number): void {
  useAwaitedFiles.setState(({ file_ids }) => ({ file_ids: [...file_ids, file_id] }))
}

export function dropAwaitedFile(file_id: number): void {
  useAwaitedFiles.setState(({ file_ids }) => ({ file_ids: file_ids.filter((one) => one !== file_id) }))
}
