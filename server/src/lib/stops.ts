// What a node has started, and how it stops again, also while it still starts.

export type Stop = () => Promise<unknown>

/** A part was started although the node is to stop: the start ends. */
export class StopRequested extends Error {}

export interface Stops {
  /**
   * Adds the stop of a part that has started. Once the stops run, the part is stopped at once: an earlier part may wait for it, as a pool does
   * for its connections.
   * @throws StopRequested once the stops run
   */
  push(stop: Stop): void
  /** Runs all stops one after another, the last one first. Calls share one run. A stop that fails keeps no other from running. */
  run(): Promise<void>
  isRunning(): boolean
}

/** @param onError called where a stop fails */
export function createStops(onError: (error: unknown) => void): Stops {
  const stops: Stop[] = []
  const late: Promise<unknown>[] = []
  let running: Promise<void> | undefined

  async function runAll(): Promise<void> {
    for (const stop of stops.toReversed()) await stop().catch(onError)
    for (const stopped of late) await stopped
  }

  return {
    push(stop) {
      if (!running) {
        stops.push(stop)
        return
      }
      late.push(stop().catch(onError))
      throw new StopRequested('the node stops')
    },
    run: () => (running ??= runAll()),
    isRunning: () => running !== undefined,
  }
}
