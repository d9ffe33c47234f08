import { createBatcher } from './batcher.ts'
import { createSemaphore } from './semaphore.ts'

/** @returns runs the work for all who wait: each gets the result of a run that began after it had asked */
export function shareRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const batcher = createBatcher<null, Result>({
    maxBatchSize: Infinity,
    semaphore: createSemaphore(1),
    runBatch: async (_queue, asking) => {
      const value = await work()
      return asking.map(() => ({ value }))
    },
  })
  return () => batcher.add('', null)
}
