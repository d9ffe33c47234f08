import { addToBatch, createBatchQueues } from './batcher.ts'

/**
 * @param atOnce how many keys have a run at a time
 * @returns runs the work for all who wait with one key: each gets the result of a run that began after it had asked
 */
export function shareRunsByKey<Result>(
  work: (key: string) => Promise<Result>,
  atOnce: number,
): (key: string) => Promise<Result> {
  const queues = createBatchQueues<null, Result>(Infinity, atOnce)
  return async (key) => {
    const result = await addToBatch(queues, key, null, async (asking) => {
      const value = await work(key)
      return asking.map(() => ({ value }))
    })
    return result as Result
  }
}

/** The same of work that is the same for all. */
export function shareRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const run = shareRunsByKey(work, 1)
  return () => run('')
}
