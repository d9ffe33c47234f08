import { addToBatch, createBatchQueues } from './batcher.ts'

/**
 * @param atOnce how many keys may run at a time
 * @returns a function that runs the work for all callers waiting with the same key; each gets the result of a run that
 * began after its call
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

/** The same for work without a key. */
export function shareRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const run = shareRunsByKey(work, 1)
  return () => run('')
}
