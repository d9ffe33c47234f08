/** Runs at most a fixed number of tasks at once; others wait in order of arrival. */
export interface Semaphore {
  run<Result>(task: () => Promise<Result>): Promise<Result>
}

export function createSemaphore(permits: number): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    run: async (task) => {
      if (running >= permits) await new Promise<void>((resolve) => waiting.push(resolve))
      else running += 1
      try {
        return await task()
      } finally {
        // Passes the permit directly to the next in line, so that no new task overtakes it.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
