// Metrics that are read from the database now and then: what it says is the same on every node.

/** How often the database is asked, in ms. */
const EVERY_MS = 10_000

/** Keeps metrics of this node up to date. @returns its stop */
export function sampleMetrics(read: () => Promise<void>, onError: (error: unknown) => void): () => Promise<unknown> {
  let running: Promise<unknown> | undefined
  const sample = (): void => {
    running ??= read()
      .catch(onError)
      .finally(() => (running = undefined))
  }
  sample()
  const timer = setInterval(sample, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await running
  }
}
